; Events of asynchronous copies become integers if a check is on: checks number them. Otherwise the pass
; address-space-queries removes them.
; RUN: hostclc --passes=image-values %s | FileCheck %s --check-prefix=WITHOUT
; RUN: hostclc --passes='image-values<check-arguments>' %s | FileCheck %s

; CHECK-LABEL: define internal i64 @copy(i64 %e)
; CHECK: ret i64 %e
; WITHOUT-LABEL: define internal target("spirv.Event") @copy(target("spirv.Event") %e)
; WITHOUT: ret target("spirv.Event") %e
define internal target("spirv.Event") @copy(target("spirv.Event") %e) {
  ret target("spirv.Event") %e
}

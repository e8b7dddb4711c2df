; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; The library keeps within images by itself: neither the descriptor of an image nor its pixels are checked.

; CHECK-LABEL: define spir_kernel void @image(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @image(ptr addrspace(2) dereferenceable(64) %image, i64 %i) {
  %member = getelementptr i8, ptr addrspace(2) %image, i64 %i
  %pixels = load ptr addrspace(1), ptr addrspace(2) %member
  %p = getelementptr i32, ptr addrspace(1) %pixels, i64 %i
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A structure of another size in constant memory is none, and what was loaded from it is any pointer.
; CHECK-LABEL: define spir_kernel void @structure(
; CHECK: call i64 @__hostcl_object_low_at(
; CHECK: call void @__hostcl_report(
; CHECK: call void @__hostcl_report(
define spir_kernel void @structure(ptr addrspace(2) dereferenceable(8) %structure, i64 %i) {
  %member = getelementptr i8, ptr addrspace(2) %structure, i64 %i
  %pixels = load ptr addrspace(1), ptr addrspace(2) %member
  %p = getelementptr i32, ptr addrspace(1) %pixels, i64 %i
  store i32 1, ptr addrspace(1) %p
  ret void
}

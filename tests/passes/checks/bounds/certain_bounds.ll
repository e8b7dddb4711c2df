; RUN: hostclc --passes='function(certain-bounds)' %s | FileCheck %s
; Only what is wrong for certain is reported before other passes make use of it.

; CHECK-LABEL: define spir_kernel void @variable(
; CHECK-NOT: br i1
; CHECK: store i32 1, ptr %p
; CHECK: br i1 false
; CHECK: store i32 2, ptr %behind
; CHECK: call void @__hostcl_report(i64 16,
; CHECK-NOT: __hostcl_report
; CHECK: ret void
define spir_kernel void @variable(i64 %i, i64 %n) {
  %v = alloca [4 x i32]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %p
  %behind = getelementptr i32, ptr %v, i64 4
  store i32 2, ptr %behind
  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 %n, i1 false)
  ret void
}

; The size of an argument's object is known when the kernel runs.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @argument(ptr addrspace(1) %a) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 -1
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK-NOT: report
; CHECK: ret void
define void @function() {
  %v = alloca i32
  %behind = getelementptr i32, ptr %v, i64 1
  store i32 2, ptr %behind
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

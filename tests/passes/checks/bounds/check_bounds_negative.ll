; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; In front of an argument there may be more of its object: positions are counted from where that begins.

; CHECK-LABEL: define spir_kernel void @in_front(
; CHECK: %low = call i64 @__hostcl_object_low(i32 0)
; CHECK: %position = sub i64 -4, %low
; CHECK: %right = icmp ult i64 %position, %limit
define spir_kernel void @in_front(ptr addrspace(1) %a) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 -1
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A variable begins where it points to.
; CHECK-LABEL: define spir_kernel void @variable(
; CHECK: br i1 false
; CHECK: call void @__hostcl_report(i64 -4,
define spir_kernel void @variable() {
  %v = alloca [4 x i32]
  %p = getelementptr i32, ptr %v, i64 -1
  store i32 1, ptr %p
  ret void
}

; What a step takes away the next one may give back.
; CHECK-LABEL: define spir_kernel void @back_again(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @back_again() {
  %v = alloca [4 x i32]
  %before = getelementptr i32, ptr %v, i64 -2
  %p = getelementptr i32, ptr %before, i64 5
  store i32 1, ptr %p
  ret void
}

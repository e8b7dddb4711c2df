; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; A number that was computed from an address belongs to its object, unless what was added may be the distance of two.

; CHECK-LABEL: define spir_kernel void @step(
; CHECK-NOT: __hostcl_object_low_at
; CHECK: %offset = add i64 0, %
; CHECK: icmp ult i64 %position, %limit
define spir_kernel void @step(ptr addrspace(1) %a, i32 %i) {
  %number = ptrtoint ptr addrspace(1) %a to i64
  %wide = sext i32 %i to i64
  %step = mul i64 %wide, 8
  %sum = add i64 %number, %step
  %p = inttoptr i64 %sum to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @distance(
; CHECK: call i64 @__hostcl_object_low_at(
define spir_kernel void @distance(ptr addrspace(1) %a, ptr addrspace(1) %table) {
  %number = ptrtoint ptr addrspace(1) %a to i64
  %step = load i64, ptr addrspace(1) %table
  %sum = add i64 %number, %step
  %p = inttoptr i64 %sum to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}

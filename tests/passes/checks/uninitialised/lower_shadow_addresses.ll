; RUN: hostclc --passes='function(instcombine,lower-shadow-addresses)' %s | FileCheck %s
; The pointer %p is null if the pointer in memory is not aligned. The address of its shadow is computed once, after the
; phi: instcombine must not move the computation before the phi, where one of its results would be a constant. The mask
; is loaded once, before all uses.

declare i64 @__hostcl_shadow_address(i64) nounwind willreturn memory(none) speculatable

; CHECK: @__hostcl_shadow_mask = external addrspace(2) constant i64
; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: %mask = load i64, ptr addrspace(2) @__hostcl_shadow_mask, align {{[48]}}, !invariant.load
; CHECK-NOT: load i64
; CHECK: %[[ADDRESS:.*]] = phi i64 [ %{{.*}}, %load ], [ 0, %entry ]
; CHECK-NEXT: xor i64 %[[ADDRESS]], %mask
; CHECK-NOT: shadow_address
define spir_kernel void @chosen(ptr addrspace(1) %b, i1 %aligned) {
entry:
  br i1 %aligned, label %load, label %next

load:
  %in = load ptr addrspace(1), ptr addrspace(1) %b
  br label %next

next:
  %p = phi ptr addrspace(1) [ %in, %load ], [ null, %entry ]
  %address = ptrtoint ptr addrspace(1) %p to i64
  %there = call i64 @__hostcl_shadow_address(i64 %address)
  %shadow = inttoptr i64 %there to ptr addrspace(1)
  store i32 0, ptr addrspace(1) %shadow
  ret void
}

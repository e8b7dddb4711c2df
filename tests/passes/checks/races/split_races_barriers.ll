; RUN: hostclc --passes='split-races' %s | FileCheck %s
; In local memory, accesses are compared that no barrier orders.

@tile = internal addrspace(3) global [64 x i32] undef, align 4

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK: define i1 @turned.race_free(
; CHECK: define spir_kernel void @turned.checked(
define spir_kernel void @turned() {
  %id = call i64 @__hostcl_local_id(i32 0)
  %own = getelementptr inbounds i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %own
  call void @__hostcl_barrier(i32 1)
  %other = xor i64 %id, 1
  %p = getelementptr inbounds i32, ptr addrspace(3) @tile, i64 %other
  %x = load i32, ptr addrspace(3) %p
  ret void
}

; The fence of a barrier may be one of global memory.
; CHECK-NOT: @global_fence.checked
define spir_kernel void @global_fence() {
  %id = call i64 @__hostcl_local_id(i32 0)
  %own = getelementptr inbounds i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %own
  call void @__hostcl_barrier(i32 2)
  %other = xor i64 %id, 1
  %p = getelementptr inbounds i32, ptr addrspace(3) @tile, i64 %other
  %x = load i32, ptr addrspace(3) %p
  ret void
}

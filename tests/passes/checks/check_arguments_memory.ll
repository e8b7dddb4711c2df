; RUN: hostclc --passes=check-arguments %s | FileCheck %s
; Functions that access memory. An atomic function is not performed if its object is not aligned to its size. The
; address of vloadn must be aligned to an element, that of vloada_half to the whole vector. A broadcast must name an
; existing work-item.

; CHECK-DAG: c"atomic_add() at an address that is not a multiple of 4\00"
; CHECK-DAG: c"atomic_store() at an address that is not a multiple of 8\00"
; CHECK-DAG: c"atomic_compare_exchange_strong() at an address that is not a multiple of 4\00"
; CHECK-DAG: c"vload4() at an address that is not a multiple of 4\00"
; CHECK-DAG: c"vloada_half3() at an address that is not a multiple of 8\00"
; CHECK-DAG: c"work_group_broadcast() from a work-item that the group does not have\00"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK: %[[LOW:.*]] = and i64 %[[A]], 3
; CHECK: %[[RIGHT:.*]] = icmp eq i64 %[[LOW]], 0
; CHECK: br i1 %[[RIGHT]], label %[[PERFORMED:.*]], label %[[REPORTED:[^,]*]]
; CHECK: [[PERFORMED]]:
; CHECK-NEXT: %[[OLD:.*]] = call i32 @_Z10atomic_addPU3AS1Vii(
; CHECK: [[REPORTED]]:
; CHECK: phi i32 [ %[[OLD]], %[[PERFORMED]] ], [ 0, %[[REPORTED]] ]
; CHECK: and i64 %{{.*}}, 7
; CHECK: @_Z12atomic_store
; CHECK: and i64 %{{.*}}, 3
; CHECK: %[[DONE:.*]] = call i1 @_Z30atomic_compare_exchange_strong
; A loop around a compare-exchange that is not performed ends.
; CHECK: phi i1 [ %[[DONE]], %{{.*}} ], [ true, %{{.*}} ]
; CHECK: %[[BEFORE:.*]] = call i32 @_Z14atomic_cmpxchgPU3AS1Viii(
; CHECK: phi i32 [ %[[BEFORE]], %{{.*}} ], [ 5, %{{.*}} ]
; CHECK-NOT: report
; CHECK: @_Z24atomic_flag_test_and_set
; CHECK: and i64 %{{.*}}, 3
; CHECK: @_Z6vload4
; CHECK: and i64 %{{.*}}, 7
; CHECK: @_Z12vloada_half3
; CHECK: %[[X:.*]] = call i64 @__hostcl_local_size(i32 0)
; CHECK: icmp uge i64 %i, %[[X]]
; CHECK: %[[Y:.*]] = call i64 @__hostcl_local_size(i32 1)
; CHECK: icmp uge i64 %j, %[[Y]]
; CHECK: @_Z20work_group_broadcast
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(4) %g, i64 %i, i64 %j) {
  %old = call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %a, i32 1)
  call void @_Z12atomic_storePU3AS4VU7_Atomicll(ptr addrspace(4) %g, i64 1)
  %c = call i1 @_Z30atomic_compare_exchange_strongPU3AS4VU7_AtomiciPU3AS4ii(ptr addrspace(4) %g, ptr addrspace(4) %g, i32 1)
  %x = call i32 @_Z14atomic_cmpxchgPU3AS1Viii(ptr addrspace(1) %a, i32 5, i32 1)
  %f = call i1 @_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici(ptr addrspace(4) %g)
  %v = call <4 x i32> @_Z6vload4mPU3AS1Ki(i64 %i, ptr addrspace(1) %a)
  %w = call <3 x float> @_Z12vloada_half3mPU3AS1KDh(i64 %i, ptr addrspace(1) %a)
  %b = call i32 @_Z20work_group_broadcastimm(i32 1, i64 %i, i64 %j)
  ret void
}
declare i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1), i32)
declare void @_Z12atomic_storePU3AS4VU7_Atomicll(ptr addrspace(4), i64)
declare i1 @_Z30atomic_compare_exchange_strongPU3AS4VU7_AtomiciPU3AS4ii(ptr addrspace(4), ptr addrspace(4), i32)
declare i32 @_Z14atomic_cmpxchgPU3AS1Viii(ptr addrspace(1), i32, i32)
declare i1 @_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici(ptr addrspace(4))
declare <4 x i32> @_Z6vload4mPU3AS1Ki(i64, ptr addrspace(1))
declare <3 x float> @_Z12vloada_half3mPU3AS1KDh(i64, ptr addrspace(1))
declare i32 @_Z20work_group_broadcastimm(i32, i64, i64)

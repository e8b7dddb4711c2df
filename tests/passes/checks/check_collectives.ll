; RUN: hostclc --passes='check-collectives<check-all;check-divergence>' %s | FileCheck %s
; RUN: hostclc --passes='check-collectives<check-bounds>' %s | FileCheck %s --check-prefix=OFF
; What work-items of a group, or of a sub-group, have to do alike.

; OFF-NOT: __hostcl_report

; CHECK-LABEL: define spir_kernel void @copies(
; CHECK: call void @__hostcl_report(i64 %{{.*}}, {{.*}}, ptr {{.*}}@hostcl.site
; CHECK: call void @__hostcl_report(i64 %count,
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: call void @__hostcl_race_copy_begin()
; CHECK-NEXT: %e = call i64 @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(
; CHECK-NEXT: call void @__hostcl_race_copy_end()
; CHECK: %[[OWN:.*]] = select i1 %{{.*}}, i64 1, i64 %
; CHECK-NEXT: store i64 %[[OWN]], ptr %event
; CHECK: %[[EVENT:.*]] = load i64, ptr %{{[0-9]+}}
; CHECK: call void @__hostcl_report(i64 %[[EVENT]],
; CHECK: icmp eq i64 %[[EVENT]], 0
; CHECK: call void @__hostcl_report(i64 0,
; CHECK: call void @_Z17wait_group_eventsiP9ocl_event(i32 1, ptr %list)
define spir_kernel void @copies(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %count) {
  %list = alloca i64
  %e = call i64 @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %count, i64 0)
  store i64 %e, ptr %list
  call void @_Z17wait_group_eventsiP9ocl_event(i32 1, ptr %list)
  ret void
}

; CHECK-LABEL: define void @lanes(
; CHECK: call <4 x i32> @_Z16sub_group_balloti(i32 1)
; CHECK: call i32 @_Z28sub_group_ballot_bit_extractDv4_jj(<4 x i32> %{{.*}}, i32 %i)
; CHECK: call void @__hostcl_report(
; CHECK: call i32 @_Z17sub_group_shuffleij(
; CHECK: call i32 @_Z26sub_group_ballot_bit_countDv4_j(
; CHECK: call void @__hostcl_report(
; CHECK: call void @_Z17sub_group_barrierj(
; CHECK: call void @__hostcl_report(
; CHECK: call i32 @_Z20work_group_broadcastim(
define void @lanes(i32 %x, i32 %i, i64 %item) {
  %y = call i32 @_Z17sub_group_shuffleij(i32 %x, i32 %i)
  call void @_Z17sub_group_barrierj(i32 1)
  %z = call i32 @_Z20work_group_broadcastim(i32 %x, i64 %item)
  ret void
}

; CHECK-LABEL: define void @scopes(
; CHECK: call void @__hostcl_race_order(ptr null, i64 0, i64 0, i32 4)
; CHECK-NEXT: call void @_Z21atomic_store_explicit
; CHECK-NEXT: call void @__hostcl_race_order(ptr null, i64 0, i64 0, i32 8)
; CHECK-NEXT: call void @_Z21atomic_store_explicit
; CHECK-NEXT: ret void
define void @scopes(ptr addrspace(1) %p) {
  call void @_Z21atomic_store_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope(ptr addrspace(1) %p, i32 1, i32 3, i32 1)
  call void @_Z21atomic_store_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope(ptr addrspace(1) %p, i32 1, i32 3, i32 2)
  ret void
}

declare i64 @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, i64)
declare void @_Z17wait_group_eventsiP9ocl_event(i32, ptr)
declare i32 @_Z17sub_group_shuffleij(i32, i32)
declare void @_Z17sub_group_barrierj(i32)
declare i32 @_Z20work_group_broadcastim(i32, i64)
declare void @_Z21atomic_store_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope(ptr addrspace(1), i32, i32, i32)

; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s
; Each query reads its own field of the launch, once per range, in front of the loop over groups; dimensions that the launch
; does not have are 1, their offsets 0, and their groups number 0.

declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_offset(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_count(i32) nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_work_dim() nounwind willreturn speculatable memory(none)

; Sizes at 0, offsets at 24, local sizes at 48, counts at 72, the number of dimensions at 96.
; CHECK-LABEL: define void @fields.entry(
; CHECK: start:
; CHECK-DAG: [[SIZE_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 8{{$}}
; CHECK-DAG: [[SIZE:%.*]] = load i64, ptr [[SIZE_AT]]{{.*}}!invariant.load
; CHECK-DAG: [[OFFSET_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 40{{$}}
; CHECK-DAG: [[OFFSET:%.*]] = load i64, ptr [[OFFSET_AT]]
; CHECK-DAG: [[LOCAL_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 48{{$}}
; CHECK-DAG: [[LOCAL:%.*]] = load i64, ptr [[LOCAL_AT]]{{.*}}!range
; CHECK-DAG: [[COUNT_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 88{{$}}
; CHECK-DAG: [[COUNT:%.*]] = load i64, ptr [[COUNT_AT]]
; CHECK-DAG: [[DIM_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 96{{$}}
; CHECK-DAG: [[DIM:%.*]] = load i32, ptr [[DIM_AT]]
; CHECK: group:
; CHECK-NOT: ptr %launch
; CHECK: store volatile i64 [[SIZE]], ptr addrspace(1) %p
; CHECK: store volatile i64 [[OFFSET]], ptr addrspace(1) %p
; CHECK: store volatile i64 [[LOCAL]], ptr addrspace(1) %p
; CHECK: store volatile i64 [[COUNT]], ptr addrspace(1) %p
; CHECK: store volatile i32 [[DIM]], ptr addrspace(1) %p
; CHECK: store volatile i64 [[OFFSET]], ptr addrspace(1) %p
; CHECK-NOT: call i
define spir_kernel void @fields(ptr addrspace(1) %p) {
  %a = call i64 @__hostcl_global_size(i32 1)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_global_offset(i32 2)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_enqueued_local_size(i32 0)
  store volatile i64 %c, ptr addrspace(1) %p
  %d = call i64 @__hostcl_group_count(i32 2)
  store volatile i64 %d, ptr addrspace(1) %p
  %e = call i32 @__hostcl_work_dim()
  store volatile i32 %e, ptr addrspace(1) %p
  %f = call i64 @__hostcl_global_offset(i32 2)
  store volatile i64 %f, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @absent.entry(
; CHECK: store volatile i64 1,
; CHECK: store volatile i64 0,
; CHECK: store volatile i64 1,
; CHECK: store volatile i64 1,
; CHECK: store volatile i64 1,
; CHECK: store volatile i64 0,
define spir_kernel void @absent(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %a = call i64 @__hostcl_global_size(i32 1)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_global_offset(i32 2)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_enqueued_local_size(i32 1)
  store volatile i64 %c, ptr addrspace(1) %p
  %d = call i64 @__hostcl_local_size(i32 2)
  store volatile i64 %d, ptr addrspace(1) %p
  %e = call i64 @__hostcl_group_count(i32 1)
  store volatile i64 %e, ptr addrspace(1) %p
  %f = call i64 @__hostcl_group_id(i32 1)
  store volatile i64 %f, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s
; The size of a group: what is left of the launch if that is less; the enqueued one if groups are alike; the one that the
; kernel requires, of the launch's dimension that the kernel calls x. The enqueued size never shrinks.

declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_sub_group_width() nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_sub_group_lane() nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define void @last_is_smaller.entry(
; CHECK: [[Y:%group.y]] = phi i64
; CHECK: [[BEFORE:%.*]] = mul nuw nsw i64 [[Y]], %enqueued_size
; CHECK: [[LEFT:%.*]] = sub nuw nsw i64 %global_size, [[BEFORE]]
; CHECK: [[SIZE:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 %enqueued_size)
; CHECK: store volatile i64 [[SIZE]]
; CHECK: store volatile i64 %enqueued_size
define spir_kernel void @last_is_smaller(ptr addrspace(1) %p) {
  %a = call i64 @__hostcl_local_size(i32 1)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_enqueued_local_size(i32 1)
  store volatile i64 %b, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @alike.entry(
; CHECK-NOT: umin
; CHECK: store volatile i64 %enqueued_size
define spir_kernel void @alike(ptr addrspace(1) %p) "hostcl.uniform_groups"="true" "hostcl.dimensions"="1" {
  %a = call i64 @__hostcl_local_size(i32 0)
  store volatile i64 %a, ptr addrspace(1) %p
  ret void
}

; The last group may still be smaller than what the kernel requires.
; CHECK-LABEL: define void @required.entry(
; CHECK: [[BEFORE:%.*]] = mul nuw nsw i64 %group.x, 24
; CHECK: [[LEFT:%.*]] = sub nuw nsw i64 %global_size, [[BEFORE]]
; CHECK: [[SIZE:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 24)
; CHECK: store volatile i64 [[SIZE]]
; CHECK: store volatile i64 24,
; CHECK: store volatile i64 1,
define spir_kernel void @required(ptr addrspace(1) %p) "hostcl.dimensions"="1" !reqd_work_group_size !0 {
  %a = call i64 @__hostcl_local_size(i32 0)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_enqueued_local_size(i32 0)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_enqueued_local_size(i32 2)
  store volatile i64 %c, ptr addrspace(1) %p
  ret void
}

; What the kernel calls x is the launch's y.
; CHECK-LABEL: define void @renamed.entry(
; CHECK: store volatile i64 48,
; CHECK: store volatile i64 2,
; CHECK: store volatile i64 %group.y,
; CHECK: store volatile i64 %group.x,
define spir_kernel void @renamed(ptr addrspace(1) %p) "hostcl.uniform_groups"="true" "hostcl.dimensions"="2" "hostcl.vector_dimension"="1" !reqd_work_group_size !1 {
  %a = call i64 @__hostcl_local_size(i32 0)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_local_size(i32 1)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_group_id(i32 0)
  store volatile i64 %c, ptr addrspace(1) %p
  %d = call i64 @__hostcl_group_id(i32 1)
  store volatile i64 %d, ptr addrspace(1) %p
  ret void
}

; A sub-group of the scalar form has lane 0 of 1.
; CHECK-LABEL: define void @sub_groups.entry(
; CHECK: store volatile i32 1,
; CHECK: store volatile i32 0,
define spir_kernel void @sub_groups(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %a = call i32 @__hostcl_sub_group_width()
  store volatile i32 %a, ptr addrspace(1) %p
  %b = call i32 @__hostcl_sub_group_lane()
  store volatile i32 %b, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 24, i32 1, i32 1}
!1 = !{i32 2, i32 48, i32 1}

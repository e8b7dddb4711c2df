; RUN: hostclc --passes='function(vector-dimension)' %s | FileCheck %s
; The kernel's x and the dimension of the vectors change places in every query, the third stays itself; flags of barriers
; and the number of dimensions are no dimensions.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_offset(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_count(i32) nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_work_dim() nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @z(
; CHECK: call i64 @__hostcl_local_id(i32 2)
; CHECK: call i64 @__hostcl_local_id(i32 1)
; CHECK: call i64 @__hostcl_local_id(i32 0)
; CHECK: call i64 @__hostcl_group_id(i32 2)
; CHECK: call i64 @__hostcl_local_size(i32 0)
; CHECK: call i64 @__hostcl_enqueued_local_size(i32 2)
; CHECK: call i64 @__hostcl_global_size(i32 0)
; CHECK: call i64 @__hostcl_global_offset(i32 2)
; CHECK: call i64 @__hostcl_group_count(i32 1)
; CHECK: call i32 @__hostcl_work_dim()
; CHECK: call void @__hostcl_barrier(i32 2)
define spir_kernel void @z() "hostcl.vector_dimension"="2" {
  %a = call i64 @__hostcl_local_id(i32 0)
  %b = call i64 @__hostcl_local_id(i32 1)
  %c = call i64 @__hostcl_local_id(i32 2)
  %d = call i64 @__hostcl_group_id(i32 0)
  %e = call i64 @__hostcl_local_size(i32 2)
  %f = call i64 @__hostcl_enqueued_local_size(i32 0)
  %g = call i64 @__hostcl_global_size(i32 2)
  %h = call i64 @__hostcl_global_offset(i32 0)
  %i = call i64 @__hostcl_group_count(i32 1)
  %j = call i32 @__hostcl_work_dim()
  call void @__hostcl_barrier(i32 2)
  ret void
}

; CHECK-LABEL: define spir_kernel void @y(
; CHECK: call i64 @__hostcl_local_id(i32 1)
; CHECK: call i64 @__hostcl_local_id(i32 0)
; CHECK: call i64 @__hostcl_local_id(i32 2)
define spir_kernel void @y() "hostcl.vector_dimension"="1" {
  %a = call i64 @__hostcl_local_id(i32 0)
  %b = call i64 @__hostcl_local_id(i32 1)
  %c = call i64 @__hostcl_local_id(i32 2)
  ret void
}

; CHECK-LABEL: define spir_kernel void @x(
; CHECK: call i64 @__hostcl_local_id(i32 0)
; CHECK: call i64 @__hostcl_local_id(i32 2)
define spir_kernel void @x() "hostcl.vector_dimension"="0" {
  %a = call i64 @__hostcl_local_id(i32 0)
  %c = call i64 @__hostcl_local_id(i32 2)
  ret void
}

; CHECK-LABEL: define void @no_kernel(
; CHECK: call i64 @__hostcl_local_id(i32 0)
define void @no_kernel() "hostcl.vector_dimension"="2" {
  %a = call i64 @__hostcl_local_id(i32 0)
  ret void
}

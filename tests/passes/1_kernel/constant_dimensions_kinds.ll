; RUN: hostclc --passes='function(constant-dimensions)' %s | FileCheck %s
; Every query of a dimension is taken apart where the dimension varies, and stays as it is where it is constant.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_offset(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_count(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind
declare i64 @other(i32)

; CHECK-LABEL: define spir_kernel void @all(
; CHECK-NOT: @__hostcl_{{[a-z_]*}}(i32 %d)
; CHECK: call i64 @__hostcl_group_id(i32 2)
; CHECK: call i64 @__hostcl_local_size(i32 2)
; CHECK: call i64 @__hostcl_enqueued_local_size(i32 2)
; CHECK: call i64 @__hostcl_global_size(i32 2)
; CHECK: call i64 @__hostcl_global_offset(i32 2)
; CHECK: call i64 @__hostcl_group_count(i32 2)
; CHECK-NOT: @__hostcl_{{[a-z_]*}}(i32 %d)
; CHECK: ret void
define spir_kernel void @all(i32 %d, ptr addrspace(1) %p) {
  %b = call i64 @__hostcl_group_id(i32 %d)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_local_size(i32 %d)
  store volatile i64 %c, ptr addrspace(1) %p
  %e = call i64 @__hostcl_enqueued_local_size(i32 %d)
  store volatile i64 %e, ptr addrspace(1) %p
  %f = call i64 @__hostcl_global_size(i32 %d)
  store volatile i64 %f, ptr addrspace(1) %p
  %g = call i64 @__hostcl_global_offset(i32 %d)
  store volatile i64 %g, ptr addrspace(1) %p
  %h = call i64 @__hostcl_group_count(i32 %d)
  store volatile i64 %h, ptr addrspace(1) %p
  ret void
}

; Each dimension has its own answer.
; CHECK-LABEL: define spir_kernel void @which(
; CHECK: [[X:%.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK: [[Y:%.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK: [[Z:%.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK: [[ONE:%.*]] = icmp eq i32 %d, 1
; CHECK: [[REST:%.*]] = select i1 [[ONE]], i64 [[Y]], i64 [[Z]]
; CHECK: [[ZERO:%.*]] = icmp eq i32 %d, 0
; CHECK: [[ID:%.*]] = select i1 [[ZERO]], i64 [[X]], i64 [[REST]]
; CHECK: store i64 [[ID]]
define spir_kernel void @which(i32 %d, ptr addrspace(1) %p) {
  %id = call i64 @__hostcl_local_id(i32 %d)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; A phi of constants varies, too; a call of something else does not matter.
; CHECK-LABEL: define spir_kernel void @merged(
; CHECK: %d = phi i32 [ 0, %entry ], [ 1, %then ]
; CHECK: call i64 @__hostcl_local_id(i32 0)
; CHECK: call i64 @other(i32 %d)
define spir_kernel void @merged(i1 %c, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %d = phi i32 [ 0, %entry ], [ 1, %then ]
  %id = call i64 @__hostcl_local_id(i32 %d)
  store i64 %id, ptr addrspace(1) %p
  %o = call i64 @other(i32 %d)
  store i64 %o, ptr addrspace(1) %p
  ret void
}

; The flags of a barrier are no dimension.
; CHECK-LABEL: define spir_kernel void @constant(
; CHECK-NEXT: call i64 @__hostcl_local_id(i32 1)
; CHECK-NEXT: call void @__hostcl_barrier(i32 %flags)
; CHECK-NEXT: store
; CHECK-NEXT: ret void
define spir_kernel void @constant(i32 %flags, ptr addrspace(1) %p) {
  %id = call i64 @__hostcl_local_id(i32 1)
  call void @__hostcl_barrier(i32 %flags)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='function(single-item)' %s | FileCheck %s
; With one work-item no barrier is left, in loops and branches either; ids of groups and global sizes stay queries, and so do
; those of kernels that are not said to have one.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @loop(
; CHECK-NOT: @__hostcl_barrier
; CHECK: fence
; CHECK-NOT: @__hostcl_barrier
; CHECK: ret void
define spir_kernel void @loop(i32 %n) "hostcl.single_item"="true" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch
then:
  call void @__hostcl_barrier(i32 2)
  fence acq_rel
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @queries(
; CHECK: store volatile i64 0
; CHECK: [[G:%.*]] = call i64 @__hostcl_group_id(i32 2)
; CHECK: store volatile i64 [[G]]
; CHECK: store volatile i64 1
; CHECK: store volatile i64 1
; CHECK: call i64 @__hostcl_global_size(i32 1)
define spir_kernel void @queries(ptr addrspace(1) %p) "hostcl.single_item"="true" {
  %a = call i64 @__hostcl_local_id(i32 2)
  store volatile i64 %a, ptr addrspace(1) %p
  %b = call i64 @__hostcl_group_id(i32 2)
  store volatile i64 %b, ptr addrspace(1) %p
  %c = call i64 @__hostcl_local_size(i32 0)
  store volatile i64 %c, ptr addrspace(1) %p
  %d = call i64 @__hostcl_enqueued_local_size(i32 1)
  store volatile i64 %d, ptr addrspace(1) %p
  %e = call i64 @__hostcl_global_size(i32 1)
  store volatile i64 %e, ptr addrspace(1) %p
  ret void
}

; Only the word "true" is a promise.
; CHECK-LABEL: define spir_kernel void @not_said(
; CHECK: call i64 @__hostcl_local_id(i32 0)
; CHECK: call void @__hostcl_barrier(i32 1)
define spir_kernel void @not_said(ptr addrspace(1) %p) "hostcl.single_item"="false" {
  %a = call i64 @__hostcl_local_id(i32 0)
  call void @__hostcl_barrier(i32 1)
  store i64 %a, ptr addrspace(1) %p
  ret void
}

; Functions that are no kernels run for any group.
; CHECK-LABEL: define void @function(
; CHECK: call void @__hostcl_barrier(i32 1)
define void @function() "hostcl.single_item"="true" {
  call void @__hostcl_barrier(i32 1)
  ret void
}

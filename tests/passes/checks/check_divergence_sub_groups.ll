; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; A barrier of a sub-group is a fence of the thread that runs it: the group need not come to it. Functions that are no
; kernels are left alone.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @sub_group(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @sub_group() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %then, label %end
then:
  fence syncscope("singlethread") acq_rel
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK-NOT: convergence
; CHECK: ret void
define void @function() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @group(
; CHECK: call void @__hostcl_convergence_arrive(
define spir_kernel void @group() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

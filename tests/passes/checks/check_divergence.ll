; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; A branch that decides about a barrier is checked if work-items may differ at it; one that is the same for the group does not.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @differs(
; CHECK: [[ARRIVAL:%.*]] = zext i1 %{{.*}} to i32
; CHECK: call void @__hostcl_convergence_arrive(i32 [[ARRIVAL]],
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: [[FIRST:%.*]] = call i32 @__hostcl_convergence_result(
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: %converged = icmp eq i32 [[ARRIVAL]], [[FIRST]]
; CHECK: br i1 %converged, label %{{.*}}, label %divergent
; CHECK: divergent:
; CHECK-NEXT: ret void
define spir_kernel void @differs() {
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

; CHECK-LABEL: define spir_kernel void @uniform(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @uniform() {
entry:
  %g = call i64 @__hostcl_group_id(i32 0)
  %c = icmp ult i64 %g, 5
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

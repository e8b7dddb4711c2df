; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; A loop around a barrier: the branch that ends it is checked in each iteration, unless all work-items run the same iterations.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @divergent_trip_counts(
; CHECK: loop:
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: %[[MORE:.*]] = freeze i1 %more
; CHECK: %[[ARRIVAL:.*]] = zext i1 %[[MORE]] to i32
; CHECK: call void @__hostcl_convergence_arrive(i32 %[[ARRIVAL]],
; CHECK: %[[FIRST:.*]] = call i32 @__hostcl_convergence_result(
; CHECK: %[[ON:.*]] = icmp ne i32 %[[FIRST]], 0
; CHECK: br i1 %converged, label %[[GO:.*]], label %divergent
; CHECK: [[GO]]:
; CHECK: br i1 %[[ON]], label %loop, label %exit
define spir_kernel void @divergent_trip_counts() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__hostcl_barrier(i32 1)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @uniform_trip_count(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @uniform_trip_count(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__hostcl_barrier(i32 1)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A loop that is left at different times in front of the barrier decides nothing.
; CHECK-LABEL: define spir_kernel void @in_front(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @in_front() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %exit
exit:
  call void @__hostcl_barrier(i32 1)
  ret void
}

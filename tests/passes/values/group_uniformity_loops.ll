; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; A counter that is uniform in each iteration of a loop is divergent after the loop if work-items leave the loop after
; different iterations.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: apart:
; CHECK: %k: {{.*}}; group-divergent
; CHECK: %next: {{.*}}; group-uniform
; CHECK: %more: {{.*}}; group-divergent
; CHECK: %last: {{.*}}; group-divergent
; CHECK: %loop: work-items leave it for different blocks
; CHECK: together:
; CHECK: %k: {{.*}}; group-uniform
; CHECK: %last: {{.*}}; group-uniform
; CHECK-NOT: work-items leave it
define spir_kernel void @apart() {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %i
  br i1 %more, label %loop, label %exit
exit:
  %last = add i64 %k, 1
  ret void
}

define spir_kernel void @together() {
entry:
  %g = call i64 @__hostcl_group_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %g
  br i1 %more, label %loop, label %exit
exit:
  %last = add i64 %k, 1
  ret void
}

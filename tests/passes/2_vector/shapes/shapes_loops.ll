; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; A uniform counter is uniform inside its loop, and after the loop only if the lanes leave the loop together.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: together:
; CHECK: %k: uniform
; CHECK: %at: affine 1
; CHECK: %last: uniform
; CHECK-NOT: lanes leave it
; CHECK: apart:
define spir_kernel void @together(i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = add i64 %i, %k
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %last = phi i64 [ %k, %loop ]
  ret void
}

; CHECK: %k: uniform
; CHECK: %last: varying
; CHECK: %loop: lanes leave it for different blocks
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
  %last = phi i64 [ %k, %loop ]
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; If all lanes come from one predecessor, a phi has the common shape of its incoming values. If lanes may come from
; different predecessors, the phi is varying unless all incoming values are one uniform value.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: uniform_branch:
; CHECK: %x: uniform
; CHECK: %y: affine 1
; CHECK: %z: varying
; CHECK-NOT: lanes leave it
; CHECK: divergent_branch:
define spir_kernel void @uniform_branch(i1 %c, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = add i64 %i, 1
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i64 [ 0, %entry ], [ %n, %then ]
  %y = phi i64 [ %i, %entry ], [ %j, %then ]
  %z = phi i64 [ %i, %entry ], [ %n, %then ]
  ret void
}

; CHECK: %x: varying
; CHECK: %y: varying
; CHECK: %same: uniform
; CHECK: %maybe: uniform
; CHECK: %entry: lanes leave it for different blocks
define spir_kernel void @divergent_branch(i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = add i64 %i, 1
  %c = icmp ult i64 %i, %n
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i64 [ 0, %entry ], [ %n, %then ]
  %y = phi i64 [ %i, %entry ], [ %j, %then ]
  %same = phi i64 [ %n, %entry ], [ %n, %then ]
  %maybe = phi i64 [ undef, %entry ], [ %n, %then ]
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; A phi is divergent if work-items may come from different predecessors, even if all but one of its incoming values are
; undefined: a single variable for the group would lose the defined value. A `freeze` of an undefined value is
; divergent, because each work-item may choose another value.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: by_item:
; CHECK: %x: {{.*}}; group-divergent
; CHECK: %open: {{.*}}; group-divergent
; CHECK: %own: {{.*}}; group-divergent
; CHECK: %entry: work-items leave it for different blocks
; CHECK: by_group:
; CHECK: %x: {{.*}}; group-uniform
; CHECK: %frozen: {{.*}}; group-uniform
; CHECK: %open: {{.*}}; group-uniform
; CHECK: %own: {{.*}}; group-divergent
; CHECK-NOT: work-items leave it
define spir_kernel void @by_item(i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %c = icmp eq i64 %i, 0
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i32 [ 0, %entry ], [ %n, %then ]
  %open = phi i32 [ undef, %entry ], [ %n, %then ]
  %own = freeze i32 %open
  ret void
}

define spir_kernel void @by_group(i32 %n) {
entry:
  %g = call i64 @__hostcl_group_id(i32 0)
  %c = icmp eq i64 %g, 0
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %x = phi i32 [ 0, %entry ], [ %n, %then ]
  %frozen = freeze i32 %x
  %open = or i32 %n, undef
  %own = freeze i32 %open
  ret void
}

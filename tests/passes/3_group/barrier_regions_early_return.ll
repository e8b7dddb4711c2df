; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Work-items that have returned take no part in what comes after a barrier, and do not decide where the others go; without
; such a return nothing is noted.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use(i64)

; Items that return in the middle are skipped in both later regions. 3 stands for the end.
; CHECK-LABEL: define {{.*}}void @in_the_middle(
; CHECK: chunk.loop:
; CHECK: store i32 1, ptr %
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: [[NEXT:%.*]] = load i32, ptr
; CHECK: [[HERE:%.*]] = icmp ne i32 [[NEXT]], 3
; CHECK: br i1 [[HERE]], label %present{{[0-9]*}}, label %chunk.latch
; CHECK: store i32 3, ptr %
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: [[LATER:%.*]] = load i32, ptr
; CHECK: icmp ne i32 [[LATER]], 3
; CHECK: present{{[0-9]+}}:
; CHECK: call void @use(
define spir_kernel void @in_the_middle(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @__hostcl_barrier(i32 1)
  %out = icmp uge i64 %x, %n
  br i1 %out, label %end, label %stay
stay:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x)
  ret void
end:
  ret void
}

; All items of a group return, or none: the group's branch.
; CHECK-LABEL: define {{.*}}void @whole_group(
; CHECK-NOT: present
; CHECK-NOT: @__hostcl_context
; CHECK: switch i32
; CHECK: call void @use(
; CHECK: ret void
define spir_kernel void @whole_group(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %out = icmp uge i64 %g, %n
  br i1 %out, label %end, label %stay
stay:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x)
  br label %end
end:
  ret void
}

; The return after the last barrier concerns no region any more: chunks are in step.
; CHECK-LABEL: define {{.*}}void @after_all(
; CHECK-NOT: present
; CHECK-NOT: @__hostcl_context
; CHECK: ret void
define spir_kernel void @after_all(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @__hostcl_barrier(i32 1)
  %out = icmp uge i64 %x, %n
  br i1 %out, label %end, label %stay
stay:
  call void @use(i64 %x)
  ret void
end:
  ret void
}

; In a loop some items leave by returning: the rest goes round.
; CHECK-LABEL: define {{.*}}void @from_loop(
; CHECK: [[NEXT:%.*]] = load i32, ptr %
; CHECK: [[HERE:%.*]] = icmp ne i32 [[NEXT]], 2
; CHECK: br i1 [[HERE]], label %present
; CHECK-NOT: @__hostcl_barrier
; CHECK: ret void
define spir_kernel void @from_loop(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %stay ]
  %out = icmp eq i64 %x, %i
  br i1 %out, label %end, label %stay
stay:
  call void @use(i64 %x)
  call void @__hostcl_barrier(i32 1)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

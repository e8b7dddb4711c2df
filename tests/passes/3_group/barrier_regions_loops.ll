; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Every work-item runs each iteration of a loop up to the barrier before any runs the next part; a counter that all share is one
; variable of the group, a value that each has of its own is kept for each.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @first(i64, i32)
declare void @second(i64, i32)
declare i64 @own(i64) memory(none) nounwind willreturn

; Two barriers in the body: three regions that the group goes through in turn.
; CHECK-LABEL: define {{.*}}void @two_in_body(
; CHECK-NOT: @__hostcl_barrier
; CHECK: chunk.loop:
; CHECK: call void @first(
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: call void @second(
; CHECK-NOT: call void @first(
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: call void @first(
; CHECK-NOT: @__hostcl_barrier
; CHECK: group.end:
define spir_kernel void @two_in_body(i32 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @first(i64 %x, i32 %i)
  call void @__hostcl_barrier(i32 1)
  call void @second(i64 %x, i32 %i)
  call void @__hostcl_barrier(i32 1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Each work-item's sum is its own from one iteration to the next: a slot of 8 bytes for each, read before and written after.
; CHECK-LABEL: define {{.*}}void @carried(
; CHECK-SAME: [[CARRIED:#[0-9]+]]
; CHECK: call ptr @__hostcl_context()
; CHECK: [[SUM:%.*]] = load i64, ptr %
; CHECK: [[NEW:%.*]] = add i64 [[SUM]], %
; CHECK: store i64 [[NEW]], ptr
define spir_kernel void @carried(i32 %n, ptr addrspace(1) %p) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  call void @__hostcl_barrier(i32 1)
  %v = call i64 @own(i64 %x)
  %sum.next = add i64 %sum, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %sum.next, ptr addrspace(1) %a
  ret void
}

; A loop in front of the barrier is every item's own: it stays inside of the loop over items.
; CHECK-LABEL: define {{.*}}void @own_loop(
; CHECK: chunk.loop:
; CHECK: [[INNER:inner[0-9]*]]:
; CHECK: call void @first(
; CHECK: br i1 %{{.*}}, label %[[INNER]]
; CHECK: chunk.latch:
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: call void @second(
define spir_kernel void @own_loop() "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %inner
inner:
  %i = phi i64 [ 0, %entry ], [ %next, %inner ]
  call void @first(i64 %i, i32 0)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %inner, label %after
after:
  call void @__hostcl_barrier(i32 1)
  call void @second(i64 %x, i32 0)
  ret void
}

; Barriers in the inner of two loops: both counters are the group's.
; CHECK-LABEL: define {{.*}}void @nested(
; CHECK-NOT: @__hostcl_context
; CHECK-NOT: @__hostcl_barrier
; CHECK: ret void
define spir_kernel void @nested(i32 %n, i32 %m) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %both = add i32 %i, %k
  call void @first(i64 %x, i32 %both)
  call void @__hostcl_barrier(i32 1)
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, %m
  br i1 %k.more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %outer, label %end
end:
  ret void
}

; CHECK: attributes [[CARRIED]] = {{.*}}"hostcl.context_per_chunk"="8"

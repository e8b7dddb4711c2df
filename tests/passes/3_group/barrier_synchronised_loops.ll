; RUN: hostclc --passes=barrier-synchronised-loops %s | FileCheck %s
; RUN: hostclc --passes='barrier-synchronised-loops<no-barrier_synchronised_loops>' %s | FileCheck %s --check-prefix=WITHOUT
;
; Work-items that read side by side, and leave what they share with each step, take their steps together.

@base = internal addrspace(3) global i64 undef
declare void @__hostcl_barrier(i32) convergent nounwind
declare i64 @__hostcl_local_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__hostcl_group_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind speculatable willreturn memory(none)
declare i64 @__hostcl_global_size(i32) nounwind speculatable willreturn memory(none)

; WITHOUT-LABEL: @histogram
; WITHOUT-NOT: together
; WITHOUT: ret void
; CHECK-LABEL: @histogram
; CHECK-SAME: #[[MERGES:[0-9]+]] {
; The place of the group's first work-item, and whether that of its last one is not past the end.
; CHECK: %id = add i64
; CHECK: %[[START:.*]] = mul i64 %size, %group
; CHECK: %[[FIRST:.*]] = add i64 %[[START]], 0
; CHECK: %[[FARTHEST:.*]] = mul i64 %{{.*}}, 1
; CHECK: %[[DISTANCE:.*]] = sub i64 %end, %[[FIRST]]
; CHECK: %[[FITS:.*]] = icmp ugt i64 %[[DISTANCE]], %[[FARTHEST]]
; CHECK: %[[BEGINS:.*]] = icmp ult i64 %[[FIRST]], %end
; CHECK: %[[ALL:.*]] = and i1 %[[BEGINS]], %[[FITS]]
; CHECK: br i1 %[[ALL]], label %loop.together, label
; What is left goes on from where the others have left.
; CHECK: %[[GOES_ON:.*]] = phi i64 [ %id, %{{.*}} ], [ %next.together, %apart ]
; CHECK: loop:
; CHECK: phi i64 [ %[[GOES_ON]], %{{.*}} ], [ %next, %loop ]
; CHECK-NOT: barrier
; CHECK: apart:
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %done
; CHECK: loop.together:
; CHECK-NEXT: %walked = phi i64 [ 0, %entry ], [ %{{.*}}, %loop.together ]
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: %[[I:.*]] = add i64 %id, %walked
; CHECK: getelementptr i8, ptr addrspace(1) %data, i64 %[[I]]
; CHECK: atomicrmw add
define spir_kernel void @histogram(ptr addrspace(1) %data, ptr addrspace(1) %bins, i64 %end) #0 {
entry:
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %size, %group
  %x = call i64 @__hostcl_local_id(i32 0)
  %id = add i64 %start, %x
  %some = icmp ult i64 %id, %end
  br i1 %some, label %before, label %done
before:
  %n = call i64 @__hostcl_global_size(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %id, %before ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(1) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic, !hostcl.deferrable !0
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; This loop gains nothing by a barrier. A new loop without a barrier runs the iterations that all work-items have. A
; value that is used after the loops comes from the loop in which the work-item has run its last iteration.
; CHECK-LABEL: @sum(
; CHECK: br i1 %{{.*}}, label %loop.together, label
; CHECK: done:
; CHECK-NEXT: %[[SUM:.*]] = phi float [ 0.000000e+00, %{{.*}} ], [ %{{.*}}, %loop ], [ %total.together, %apart ]
; CHECK: store float %[[SUM]]
; CHECK-NOT: barrier
; CHECK: br i1 %{{.*}}, label %loop.together, label %apart
; CHECK-NOT: barrier
define spir_kernel void @sum(ptr addrspace(1) %data, ptr addrspace(1) %sums, i64 %n, i64 %end) #0 {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %some = icmp ult i64 %x, %end
  br i1 %some, label %before, label %done
before:
  br label %loop
loop:
  %i = phi i64 [ %x, %before ], [ %next, %loop ]
  %sum = phi float [ 0.0, %before ], [ %total, %loop ]
  %place = getelementptr float, ptr addrspace(1) %data, i64 %i
  %value = load float, ptr addrspace(1) %place
  %total = fadd float %sum, %value
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 0.0, %entry ], [ %total, %loop ]
  %own = getelementptr float, ptr addrspace(1) %sums, i64 %x
  store float %result, ptr addrspace(1) %own
  ret void
}

; The induction variable's start is loaded. Memory may change between the load and the loop, so the pass must not load
; the start again.
; CHECK-LABEL: @start_in_memory(
; CHECK: load i64
; CHECK-NOT: load i64
; CHECK: loop.together:
; CHECK: define
define spir_kernel void @start_in_memory(ptr addrspace(1) %data, i64 %n, i64 %end) #0 {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %base = load i64, ptr addrspace(3) @base
  call void @__hostcl_barrier(i32 1)
  store i64 0, ptr addrspace(3) @base
  call void @__hostcl_barrier(i32 1)
  %start = add i64 %base, %x
  %some = icmp ult i64 %start, %end
  br i1 %some, label %before, label %done
before:
  br label %loop
loop:
  %i = phi i64 [ %start, %before ], [ %next, %loop ]
  %place = getelementptr float, ptr addrspace(1) %data, i64 %i
  store float 1.0, ptr addrspace(1) %place
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; All work-items take the same number of steps already. The local id shows which of them share a group.
; CHECK-LABEL: @uniform
; CHECK-SAME: #[[PLAIN:[0-9]+]] {
; CHECK: loop:
; CHECK-NEXT: %k = phi i64
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK-NOT: together
define spir_kernel void @uniform(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %rows, i64 %width) #0 {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %k, %width
  %i = add i64 %row, %x
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %rows
  br i1 %more, label %loop, label %done
done:
  ret void
}

; An atomic that reaches memory each time costs more than the lines.
; CHECK-LABEL: @not_collected
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @not_collected(ptr addrspace(1) %data, ptr addrspace(1) %bins, i64 %n, i64 %end) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(1) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Rows of one's own are read to their end.
; CHECK-LABEL: @own_rows
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @own_rows(ptr addrspace(1) %data, ptr addrspace(3) %bins) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %row = mul i64 %x, 1024
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %i = add i64 %row, %k
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 1024
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The step is another one for each work-item, and so is the end.
; CHECK-LABEL: @own_steps
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @own_steps(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %end = mul i64 %x, %x
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Only some work-items get to the loop: a barrier in it would be no barrier of the group, although the trip count is uniform.
; CHECK-LABEL: @in_a_divergent_branch
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @in_a_divergent_branch(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %rows, i64 %width, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %before, label %done
before:
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next, %loop ]
  %row = mul i64 %k, %width
  %i = add i64 %row, %x
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %rows
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The same where the branch depends on a value from memory, in a kernel whose other loop all work-items run.
; CHECK-LABEL: @walk_in_a_divergent_branch
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @walk_in_a_divergent_branch(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %n, i64 %end) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %own = getelementptr i8, ptr addrspace(1) %data, i64 %x
  %wish = load i8, ptr addrspace(1) %own
  %wanted = icmp ugt i8 %wish, 100
  br i1 %wanted, label %guard, label %done
guard:
  %some = icmp ult i64 %x, %end
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %x, %guard ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The step is left by a loop that work-items leave after different iterations (temporal divergence).
; CHECK-LABEL: @step_left_by_a_loop
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @step_left_by_a_loop(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %n, i64 %end) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %first
first:
  %e = phi i64 [ 0, %entry ], [ %step, %first ]
  %step = add i64 %e, %n
  %again = icmp ult i64 %step, %x
  br i1 %again, label %first, label %guard
guard:
  %some = icmp ult i64 %x, %end
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %x, %guard ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; All work-items reach the loop equally often, but in different iterations of the loop around it.
; CHECK-LABEL: @in_other_iterations
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @in_other_iterations(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %rows, i1 %one) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %turn
turn:
  %left = phi i64 [ %x, %entry ], [ %fewer, %wait ], [ %x, %again ]
  %waits = icmp ugt i64 %left, 0
  br i1 %waits, label %wait, label %before
wait:
  %fewer = sub i64 %left, 1
  br label %turn
before:
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next, %loop ]
  %row = mul i64 %k, 64
  %i = add i64 %row, %x
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %rows
  br i1 %more, label %loop, label %last
last:
  br i1 %one, label %done, label %again
again:
  br label %turn
done:
  ret void
}

; The start is the induction variable of an outer loop, which starts at the local id: the other work-items cannot compute the
; start of the first work-item.
; CHECK-LABEL: @start_of_an_outer_loop
; CHECK-NOT: barrier
; CHECK: ret void
define spir_kernel void @start_of_an_outer_loop(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %n, i64 %end) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %turn
turn:
  %r = phi i64 [ 0, %entry ], [ %next.r, %after ]
  %s = phi i64 [ %x, %entry ], [ %next.s, %after ]
  %some = icmp ult i64 %s, %end
  br i1 %some, label %before, label %after
before:
  br label %loop
loop:
  %i = phi i64 [ %s, %before ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %after
after:
  %next.s = sub i64 %s, 10
  %next.r = add i64 %r, 1
  %again = icmp ult i64 %next.r, %n
  br i1 %again, label %turn, label %done
done:
  ret void
}

; A uniform branch: all work-items of the group reach the loop, or none does.
; CHECK-LABEL: @in_a_uniform_branch
; CHECK: loop.together:
; CHECK: barrier
define spir_kernel void @in_a_uniform_branch(ptr addrspace(1) %data, ptr addrspace(3) %bins, i64 %n, i64 %end) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %long = icmp ugt i64 %end, 100
  br i1 %long, label %guard, label %done
guard:
  %some = icmp ult i64 %x, %end
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %x, %guard ], [ %next, %loop ]
  %place = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %place
  %index = zext i8 %byte to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %index
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: attributes #[[MERGES]] = { {{.*}}"hostcl.groups_merge"="true"
; CHECK-NOT: attributes #[[PLAIN]] = { {{.*}}"hostcl.groups_merge"
attributes #0 = { "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" }
!0 = !{i64 0}

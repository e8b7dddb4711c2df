; Which atomic updates may reach memory late.
; RUN: hostclc --passes='function(deferrable-atomics)' %s | FileCheck %s
; RUN: hostclc --passes='function(deferrable-atomics<no-deferred_atomics>)' %s | FileCheck %s --check-prefix=WITHOUT

declare void @__hostcl_barrier(i32) convergent
declare void @unknown()
declare i64 @__hostcl_local_id(i32)
declare i64 @__hostcl_group_id(i32)
declare i64 @__hostcl_local_size(i32)

; Reading the index before is no obstacle, wherever it lies; a table is taken at the start of the context.
; WITHOUT-LABEL: @histogram
; WITHOUT-NOT: hostcl.deferrable
; WITHOUT: ret void
; CHECK-LABEL: @histogram
; CHECK-SAME: [[TABLE:#[0-9]+]]
; CHECK: atomicrmw add {{.*}} !hostcl.deferrable ![[FIRST:[0-9]+]]
define spir_kernel void @histogram(ptr addrspace(1) %data, ptr addrspace(1) %bins) {
  %k = load i32, ptr addrspace(1) %data
  %bin = getelementptr i32, ptr addrspace(1) %bins, i32 %k
  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic
  ret void
}

; One address for all needs no table. Local memory is another one.
; CHECK-LABEL: @count
; CHECK-NOT: #
; CHECK: load atomic
; CHECK: atomicrmw max {{.*}} !hostcl.deferrable
define spir_kernel void @count(ptr addrspace(1) %n, ptr addrspace(3) %local) {
  %x = load atomic i32, ptr addrspace(3) %local acquire, align 4
  %old = atomicrmw max ptr addrspace(1) %n, i32 %x monotonic
  ret void
}

; Used results, stronger orders, operations that do not combine.
; CHECK-LABEL: @not_deferrable
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @not_deferrable(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b,
                                        ptr addrspace(1) noalias %c) {
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %b
  %x = atomicrmw xchg ptr addrspace(1) %c, i32 1 monotonic
  ret void
}

; CHECK-LABEL: @release
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @release(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %flag) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  store atomic i32 1, ptr addrspace(1) %flag release, align 4
  ret void
}

; CHECK-LABEL: @fenced
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @fenced(ptr addrspace(1) %a) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  fence acq_rel
  ret void
}

; CHECK-LABEL: @calls
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @calls(ptr addrspace(1) %a) {
  call void @unknown()
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  ret void
}

; Waits for updates of other work-items.
; CHECK-LABEL: @polls
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @polls(ptr addrspace(1) %a) {
  %seen = load atomic i32, ptr addrspace(1) %a monotonic, align 4
  %x = atomicrmw add ptr addrspace(1) %a, i32 %seen monotonic
  ret void
}

; The host may set the flag once it has seen the update.
; CHECK-LABEL: @waits
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @waits(ptr addrspace(1) noalias %progress, ptr addrspace(1) noalias %flag) {
entry:
  %x = atomicrmw add ptr addrspace(1) %progress, i32 1 monotonic
  br label %loop
loop:
  %set = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %again = icmp eq i32 %set, 0
  br i1 %again, label %loop, label %done
done:
  ret void
}

; So may a loop that is entered at two places.
; CHECK-LABEL: @waits_anywhere
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @waits_anywhere(ptr addrspace(1) noalias %progress, ptr addrspace(1) noalias %flag,
                                        i1 %first) {
entry:
  %x = atomicrmw add ptr addrspace(1) %progress, i32 1 monotonic
  br i1 %first, label %a, label %b
a:
  br label %b
b:
  %set = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %again = icmp eq i32 %set, 0
  br i1 %again, label %a, label %done
done:
  ret void
}

; CHECK-LABEL: @waits_in_turn
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @waits_in_turn(ptr addrspace(1) noalias %progress, ptr addrspace(1) noalias %flag,
                                       i1 %first) {
entry:
  %x = atomicrmw add ptr addrspace(1) %progress, i32 1 monotonic
  br i1 %first, label %a, label %b
a:
  %set = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %again = icmp eq i32 %set, 0
  br i1 %again, label %b, label %done
b:
  %also_set = load volatile i32, ptr addrspace(1) %flag, align 4
  %once_more = icmp eq i32 %also_set, 0
  br i1 %once_more, label %a, label %done
done:
  ret void
}

; Another work-item reads behind the barrier.
; CHECK-LABEL: @barrier
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @barrier(ptr addrspace(1) %a, ptr addrspace(1) noalias %b) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  call void @__hostcl_barrier(i32 2)
  %sum = load i32, ptr addrspace(1) %a
  store i32 %sum, ptr addrspace(1) %b
  ret void
}

; The load of the next iteration follows the update; restrict tells that it reads something else.
; CHECK-LABEL: @iteration
; CHECK-NOT: hostcl.deferrable
; CHECK-LABEL: @restricted_iteration
; CHECK: hostcl.deferrable
define spir_kernel void @iteration(ptr addrspace(1) %data, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}
define spir_kernel void @restricted_iteration(ptr addrspace(1) noalias %data, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Different operations at what may be the same place do not commute; sums and differences do.
; CHECK-LABEL: @mixed
; CHECK-NOT: hostcl.deferrable
; CHECK-LABEL: @difference
; CHECK-COUNT-2: hostcl.deferrable
define spir_kernel void @mixed(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %y = atomicrmw or ptr addrspace(1) %b, i32 1 monotonic
  ret void
}
define spir_kernel void @difference(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %y = atomicrmw sub ptr addrspace(1) %b, i32 1 monotonic
  ret void
}

; Two tables follow each other. Floats need one also for an address that stays the same.
; CHECK-LABEL: @two_tables
; CHECK-SAME: [[TWO:#[0-9]+]]
; CHECK: atomicrmw umin {{.*}} !hostcl.deferrable ![[FIRST]]
; CHECK: atomicrmw fadd {{.*}} !hostcl.deferrable ![[SECOND:[0-9]+]]
define spir_kernel void @two_tables(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %i) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = atomicrmw umin ptr addrspace(1) %p, i32 1 monotonic
  %y = atomicrmw fadd ptr addrspace(1) %b, float 1.0 monotonic
  ret void
}

; Work-items look at what others have left in the same buffer: not late.
; CHECK-LABEL: @labels
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @labels(ptr addrspace(1) %label, ptr addrspace(1) %edges) {
  %i = load i32, ptr addrspace(1) %edges
  %p = getelementptr i32, ptr addrspace(1) %label, i32 %i
  %mine = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %label, i32 %mine
  %old = atomicrmw min ptr addrspace(1) %q, i32 %mine monotonic
  ret void
}

; Each work-item has a place of its own: nothing to combine.
; CHECK-LABEL: @distinct_addresses
; CHECK-NOT: hostcl.deferrable
define spir_kernel void @distinct_addresses(ptr addrspace(1) %a, i64 %pitch) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_local_size(i32 0)
  %start = mul i64 %group, %size
  %column = add i64 %start, %x
  %y = call i64 @__hostcl_local_id(i32 1)
  %group_y = call i64 @__hostcl_group_id(i32 1)
  %start_y = shl i64 %group_y, 4
  %row = or disjoint i64 %start_y, %y
  %first = mul i64 %row, %pitch
  %index = add i64 %first, %column
  %short = trunc i64 %index to i32
  %long = sext i32 %short to i64
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %long
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

; All rows meet in one, all groups in one group's places, work-items in a loop meet themselves.
; CHECK-LABEL: @columns
; CHECK: atomicrmw {{.*}} !hostcl.deferrable
define spir_kernel void @columns(ptr addrspace(1) %a, ptr addrspace(1) %data) {
  %x = call i64 @__hostcl_group_id(i32 0)
  %y = call i64 @__hostcl_group_id(i32 1)
  %value.place = getelementptr i32, ptr addrspace(1) %data, i64 %y
  %value = load i32, ptr addrspace(1) %value.place
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %old = atomicrmw add ptr addrspace(1) %place, i32 %value monotonic
  ret void
}

; CHECK-LABEL: @groups_meet
; CHECK: atomicrmw {{.*}} !hostcl.deferrable
define spir_kernel void @groups_meet(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %group = call i64 @__hostcl_group_id(i32 0)
  %value = trunc i64 %group to i32
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %old = atomicrmw add ptr addrspace(1) %place, i32 %value monotonic
  ret void
}

; CHECK-LABEL: @again
; CHECK: atomicrmw {{.*}} !hostcl.deferrable
define spir_kernel void @again(ptr addrspace(1) %a) {
  %group = call i64 @__hostcl_group_id(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %group
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(1) %place, i32 %i monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: attributes [[TABLE]] = {{.*}}"hostcl.context_fixed"="65536"
; CHECK: attributes [[TWO]] = {{.*}}"hostcl.context_fixed"="606208"
; CHECK: ![[FIRST]] = !{i64 0}
; CHECK: ![[SECOND]] = !{i64 65536}

; RUN: hostclc --passes='function(vectorise<width=8>)' %s 2>&1 | FileCheck %s
; A loop that ends when memory says so may wait for another work-item, which a vector would never let run: such kernels stay
; scalar. A loop that only reads memory, or whose atomics make progress by themselves, waits for no other.

declare void @__hostcl_barrier(i32) convergent
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_pipe_reserve_read(ptr addrspace(1), i32) nounwind
declare i32 @__hostcl_pipe_packets(ptr addrspace(1)) nounwind

; CHECK-DAG: polls: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: swaps: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: reads_by_or: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: by_switch: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: reads_packet: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: counts_packets: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: permits: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: polls_or_tries: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-DAG: barrier_in_some_iterations: not vectorised: {{.*}}a loop waits for another work-item
; CHECK-NOT: not vectorised

define spir_kernel void @polls(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %w = and i32 %v, 255
  %more = icmp eq i32 %w, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The exchange makes progress by itself, but is only reached if memory says so.
define spir_kernel void @permits(ptr addrspace(1) %count) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %count acquire, align 4
  %full = icmp eq i32 %v, 3
  br i1 %full, label %again, label %try
try:
  %w = add i32 %v, 1
  %pair = cmpxchg ptr addrspace(1) %count, i32 %v, i32 %w acquire acquire, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
again:
  br label %loop
end:
  ret void
}

define spir_kernel void @swaps(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = atomicrmw xchg ptr addrspace(1) %flag, i32 1 acquire
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

define spir_kernel void @reads_by_or(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = atomicrmw or ptr addrspace(1) %flag, i32 0 acquire
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

define spir_kernel void @by_switch(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr addrspace(1) %flag, align 4
  switch i32 %v, label %loop [ i32 1, label %end
                               i32 2, label %end ]
end:
  ret void
}

define spir_kernel void @reads_packet(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %id = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %p, i32 1)
  %before = add i64 %id, -1
  %valid = icmp ult i64 %before, -2
  br i1 %valid, label %end, label %loop
end:
  ret void
}

define spir_kernel void @counts_packets(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %n = call i32 @__hostcl_pipe_packets(ptr addrspace(1) %p)
  %few = icmp ult i32 %n, 4
  br i1 %few, label %loop, label %end
end:
  ret void
}

; Without packets it ends.
; CHECK-LABEL: define {{.*}}void @empties_pipe(
; CHECK-SAME: [[WIDE:#[0-9]+]]
define spir_kernel void @empties_pipe(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %id = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %p, i32 1)
  %before = add i64 %id, -1
  %valid = icmp ult i64 %before, -2
  br i1 %valid, label %loop, label %end
end:
  ret void
}

; Each try changes memory: a queue's next item.
; CHECK-LABEL: define {{.*}}void @takes(
; CHECK-SAME: [[WIDE]]
define spir_kernel void @takes(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %v = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
  %more = icmp ult i32 %v, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @plain_reads(
; CHECK-SAME: [[WIDE]]
define spir_kernel void @plain_reads(ptr addrspace(1) %list) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %v, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %list, i64 %i
  %v = load i64, ptr addrspace(1) %p
  %more = icmp ne i64 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What a compare-exchange saw is what it expects next.
; CHECK-LABEL: define {{.*}}void @tries(
; CHECK-SAME: [[WIDE]]
define spir_kernel void @tries(ptr addrspace(1) %p, i32 %first) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %new = mul i32 %expected, 3
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Two conditions lead to the exchange: the first one is an argument, the second one polls memory.
define spir_kernel void @polls_or_tries(ptr addrspace(1) %count, i1 %a) {
entry:
  br label %loop
loop:
  %seen = phi i32 [ 0, %entry ], [ %now, %again ]
  br i1 %a, label %try, label %look
look:
  %v = load atomic i32, ptr addrspace(1) %count acquire, align 4
  %full = icmp eq i32 %v, 3
  br i1 %full, label %again, label %try
try:
  %e = phi i32 [ %seen, %loop ], [ %v, %look ]
  %w = add i32 %e, 1
  %pair = cmpxchg ptr addrspace(1) %count, i32 %e, i32 %w acquire acquire, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
again:
  %now = phi i32 [ 3, %look ], [ %old, %try ]
  br label %loop
end:
  ret void
}

; A barrier in each iteration: no work-item waits for another one that has left the loop.
; CHECK-LABEL: define {{.*}}void @until_unchanged(
; CHECK-SAME: [[WIDE]]
define spir_kernel void @until_unchanged(ptr addrspace(3) %changed, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  call void @__hostcl_barrier(i32 1)
  %next = add i64 %i, %x
  %is_some = icmp ult i64 %next, %n
  br i1 %is_some, label %some, label %join
some:
  store volatile i32 1, ptr addrspace(3) %changed
  br label %join
join:
  call void @__hostcl_barrier(i32 1)
  %v = load volatile i32, ptr addrspace(3) %changed
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A barrier that some iterations do not reach.
define spir_kernel void @barrier_in_some_iterations(ptr addrspace(3) %flag, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %next = add i64 %i, 1
  %is_some = icmp ult i64 %next, %n
  br i1 %is_some, label %some, label %join
some:
  call void @__hostcl_barrier(i32 1)
  br label %join
join:
  %v = load volatile i32, ptr addrspace(3) %flag
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: attributes [[WIDE]] = {{.*}}"hostcl.width"="8"

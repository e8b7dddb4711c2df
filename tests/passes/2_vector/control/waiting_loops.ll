; A loop that waits for another work-item calls the host at each 256th turn. Other loops stay as they are.
; RUN: hostclc --passes='function(waiting-loops)' %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @polls(
; CHECK: [[TURNS:%.*]] = alloca i32
; CHECK: [[STATE:%.*]] = alloca i8
; CHECK: store i8 0, ptr [[STATE]]
; CHECK: store i32 0, ptr [[TURNS]]
; CHECK: [[BITS:%.*]] = load i8, ptr [[STATE]]
; CHECK: [[BEGINS:%.*]] = or i8 [[BITS]], 2
; CHECK: store i8 [[BEGINS]], ptr [[STATE]]
; CHECK: loop:
; CHECK: load atomic
; CHECK: again:
; CHECK: [[OLD:%.*]] = load i32, ptr [[TURNS]]
; CHECK: [[NEW:%.*]] = add i32 [[OLD]], 1
; CHECK: store i32 [[NEW]], ptr [[TURNS]]
; CHECK: [[LOW:%.*]] = and i32 [[NEW]], 255
; CHECK: [[CALLS:%.*]] = icmp eq i32 [[LOW]], 0
; CHECK: br i1 [[CALLS]], label %[[CALL:.*]], label %[[NEXT:.*]], !prof
; CHECK: [[CALL]]:
; CHECK-NEXT: [[X:%.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK-NEXT: [[Y:%.*]] = call i64 @__hostcl_group_id(i32 1)
; CHECK-NEXT: [[Z:%.*]] = call i64 @__hostcl_group_id(i32 2)
; CHECK-NEXT: call void @__hostcl_wait(i64 [[X]], i64 [[Y]], i64 [[Z]], ptr [[STATE]])
; CHECK-NEXT: br label %[[NEXT]]
; CHECK: [[NEXT]]:
; CHECK-NEXT: br label %loop
define spir_kernel void @polls(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %end
again:
  br label %loop
end:
  ret void
}

; Only the inner loop waits, and each item begins a wait.
; CHECK-LABEL: define spir_kernel void @for_each_item(
; CHECK: items:
; CHECK: or i8 {{.*}}, 2
; CHECK: poll:
; CHECK: call void @__hostcl_wait(
; CHECK: next:
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @for_each_item(ptr addrspace(1) %lock, i64 %n) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  br label %poll
poll:
  %v = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %wait = icmp ne i32 %v, 0
  br i1 %wait, label %poll, label %next
next:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %items, label %end
end:
  ret void
}

; One counter counts the iterations of both loops, from the beginning of the outer loop. Otherwise each run of the inner
; loop would begin to count at 0.
; CHECK-LABEL: define spir_kernel void @nested(
; CHECK: entry:
; CHECK: or i8 {{.*}}, 2
; CHECK: outer:
; CHECK-NEXT: br label %inner
; CHECK: inner:
; CHECK: call void @__hostcl_wait(
; CHECK: again:
; CHECK: call void @__hostcl_wait(
; CHECK: }
define spir_kernel void @nested(ptr addrspace(1) %busy, ptr addrspace(1) %flag) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %b = load atomic i32, ptr addrspace(1) %busy acquire, align 4
  %is_busy = icmp ne i32 %b, 0
  br i1 %is_busy, label %inner, label %test
test:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %end
again:
  br label %outer
end:
  ret void
}

; One work-item polls for its group, and tells the others by local memory.
; CHECK-LABEL: define spir_kernel void @polls_for_group(
; CHECK: chunks:
; CHECK-NOT: call
; CHECK: next:
; CHECK: call void @__hostcl_wait(
; CHECK: }
define spir_kernel void @polls_for_group(ptr addrspace(1) %flag, ptr addrspace(3) %done, i64 %n) {
entry:
  br label %round
round:
  br label %chunks
chunks:
  %i = phi i64 [ 0, %round ], [ %j, %chunks.next ]
  %first = icmp eq i64 %i, 0
  br i1 %first, label %poll, label %chunks.next
poll:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  store i32 %v, ptr addrspace(3) %done, align 4
  br label %chunks.next
chunks.next:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %chunks, label %next, !llvm.loop !0
next:
  %d = load i32, ptr addrspace(3) %done, align 4
  %wait = icmp eq i32 %d, 0
  br i1 %wait, label %round, label %end
end:
  ret void
}

; Private memory, which no other work-item writes, decides whether the loop exits. barrier-regions writes such loops.
; CHECK-LABEL: define spir_kernel void @private_state(
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @private_state(ptr addrspace(1) %flag, ptr %slot) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  store i32 %v, ptr addrspace(1) %flag, align 4
  %next = load i32, ptr %slot, align 4
  %more = icmp eq i32 %next, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A walk over a list, and a counter towards a bound that is loaded again: memory stays as it is, and they end.
; CHECK-LABEL: define spir_kernel void @walks(
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @walks(ptr addrspace(1) %next, ptr addrspace(1) %bound) {
entry:
  br label %list
list:
  %node = phi i32 [ 0, %entry ], [ %after, %list ]
  %index = zext i32 %node to i64
  %link = getelementptr i32, ptr addrspace(1) %next, i64 %index
  %after = load atomic i32, ptr addrspace(1) %link acquire, align 4
  %more = icmp ne i32 %after, -1
  br i1 %more, label %list, label %count
count:
  %i = phi i32 [ 0, %list ], [ %j, %count ]
  %b = load volatile i32, ptr addrspace(1) %bound, align 4
  %j = add i32 %i, 1
  %less = icmp ult i32 %j, %b
  br i1 %less, label %count, label %end
end:
  ret void
}

; Two addresses in turn.
; CHECK-LABEL: define spir_kernel void @polls_in_turn(
; CHECK: call void @__hostcl_wait(
; CHECK: }
define spir_kernel void @polls_in_turn(ptr addrspace(1) %flags) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %again ]
  %flag = getelementptr i32, ptr addrspace(1) %flags, i64 %i
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %j = xor i64 %i, 1
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %end
again:
  br label %loop
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @counts(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %v = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
  %more = icmp ult i32 %v, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @no_kernel(
; CHECK-NOT: call
; CHECK: }
define void @no_kernel(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %end
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"hostcl.items"}

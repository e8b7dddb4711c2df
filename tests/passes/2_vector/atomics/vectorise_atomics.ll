; One address for all lanes takes one atomic; others one for each active lane.
; RUN: hostclc --passes='vectorise<width=4>' %s 2>&1 | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @append
; CHECK: %[[ACTIVE:.*]] = call i64 @llvm.ctpop.i64
; CHECK: %[[SUM:.*]] = trunc i64 %[[ACTIVE]] to i32
; CHECK: atomicrmw add ptr addrspace(1) %n, i32
; CHECK-NOT: atomicrmw
; CHECK: %[[ONES:.*]] = select <4 x i1> %mask, <4 x i32> splat (i32 1), <4 x i32> zeroinitializer
; CHECK: masked.store
define spir_kernel void @append(ptr addrspace(1) %n, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  store i32 %old, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @histogram
; CHECK: store <4 x ptr addrspace(1)> %cell, ptr %[[ARRAY:.*]], align
; CHECK: lane:
; CHECK: %[[PLACE:.*]] = getelementptr inbounds ptr addrspace(1), ptr %[[ARRAY]], i32
; CHECK: %[[CELL:.*]] = load ptr addrspace(1), ptr %[[PLACE]]
; CHECK: atomicrmw add ptr addrspace(1) %[[CELL]], i32 1 monotonic
; CHECK: br i1 %{{.*}}, label %lane, label %lanes.done
define spir_kernel void @histogram(ptr addrspace(1) %cells, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %i
  %k = load i64, ptr addrspace(1) %q
  %cell = getelementptr i32, ptr addrspace(1) %cells, i64 %k
  %old = atomicrmw add ptr addrspace(1) %cell, i32 1 monotonic
  ret void
}

; In local memory, where an atomic costs little, the lanes of full vectors are written out.
; CHECK-LABEL: @local_histogram
; CHECK: icmp eq i4 %{{.*}}, -1
; CHECK: full:
; CHECK: %[[INDEX:.*]] = extractelement <4 x i8> %k, i32 0
; CHECK: %[[WIDE:.*]] = zext i8 %[[INDEX]] to i64
; CHECK: %[[FIRST:.*]] = getelementptr i32, ptr addrspace(3) %cells, i64 %[[WIDE]]
; CHECK: atomicrmw add ptr addrspace(3) %[[FIRST]], i32 1 monotonic
; CHECK-COUNT-3: atomicrmw add
; CHECK: some:
; CHECK: joined:
; CHECK: phi <4 x i32>
; CHECK: lane:
; CHECK: atomicrmw add
define spir_kernel void @local_histogram(ptr addrspace(3) %cells, ptr addrspace(1) %b, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %i
  %k = load i8, ptr addrspace(1) %q
  %wide = zext i8 %k to i64
  %cell = getelementptr i32, ptr addrspace(3) %cells, i64 %wide
  %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %old, ptr addrspace(1) %o
  ret void
}

; Waiting for a lock: a lane would wait for another one of its own vector.
; CHECK-LABEL: @lock
; CHECK-NOT: lane_mask
; CHECK: cmpxchg ptr addrspace(1) %l, i32 0, i32 1
define spir_kernel void @lock(ptr addrspace(1) %l) {
entry:
  br label %loop
loop:
  %seen = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 acquire monotonic
  %free = extractvalue { i32, i1 } %seen, 1
  br i1 %free, label %done, label %loop
done:
  store atomic i32 0, ptr addrspace(1) %l release, align 4
  ret void
}

; The same with states: what the lock was decides from where control comes to the loop's end.
; CHECK-LABEL: @lock_by_states
; CHECK-NOT: lane_mask
; CHECK: cmpxchg ptr addrspace(1) %l, i32 0, i32 1
define spir_kernel void @lock_by_states(ptr addrspace(1) %l, ptr addrspace(1) %tries) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 acquire monotonic
  %seen = extractvalue { i32, i1 } %pair, 0
  switch i32 %seen, label %end [ i32 0, label %free
                                 i32 1, label %taken ]
free:
  br label %end
taken:
  store i32 1, ptr addrspace(1) %tries
  br label %end
end:
  %state = phi i32 [ 5, %loop ], [ 7, %free ], [ 6, %taken ]
  %got = icmp eq i32 %state, 7
  br i1 %got, label %done, label %loop
done:
  store atomic i32 0, ptr addrspace(1) %l release, align 4
  ret void
}

; A jump into the loop.
; CHECK-LABEL: @lock_by_jumps
; CHECK-NOT: lane_mask
; CHECK: cmpxchg ptr addrspace(1) %l, i32 0, i32 1
define spir_kernel void @lock_by_jumps(ptr addrspace(1) %l, i1 %first, i1 %second) {
entry:
  br i1 %first, label %a, label %b
a:
  br i1 %second, label %b, label %try
b:
  br label %try
try:
  %pair = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 acquire monotonic
  %free = extractvalue { i32, i1 } %pair, 1
  br i1 %free, label %done, label %next
next:
  br i1 %second, label %a, label %b
done:
  store atomic i32 0, ptr addrspace(1) %l release, align 4
  ret void
}

; What an atomic was decides about stores in the loop, and not when it ends: that is no wait.
; CHECK-LABEL: @looks
; CHECK: lane_mask
define spir_kernel void @looks(ptr addrspace(1) %l, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %seen = load atomic i32, ptr addrspace(1) %l monotonic, align 4
  %set = icmp ne i32 %seen, 0
  br i1 %set, label %write, label %end
write:
  store i32 %i, ptr addrspace(1) %p
  br label %end
end:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Several narrow numbers come out of a vector as one word.
; CHECK-LABEL: @local_table
; CHECK: full:
; CHECK: %[[WORDS:.*]] = bitcast <4 x i16> %k to <1 x i64>
; CHECK: %[[WORD:.*]] = extractelement <1 x i64> %[[WORDS]], i64 0
; CHECK: and i64 %{{.*}}, 65535
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: %[[SECOND:.*]] = lshr i64 %{{.*}}, 16
; CHECK: and i64 %[[SECOND]], 65535
define spir_kernel void @local_table(ptr addrspace(3) %cells, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i16, ptr addrspace(1) %b, i64 %i
  %k = load i16, ptr addrspace(1) %q
  %wide = zext i16 %k to i64
  %cell = getelementptr i32, ptr addrspace(3) %cells, i64 %wide
  %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
  ret void
}

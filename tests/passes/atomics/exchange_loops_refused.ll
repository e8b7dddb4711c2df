; RUN: hostclc --passes='function(exchange-loops)' %s | FileCheck %s
; Loops that only resemble an atomic update stay loops: another order of operands, another place, a volatile exchange, a
; vector of parts, an operand that changes, another value expected, or a second block.

; CHECK-NOT: atomicrmw

; x - old is not old - x.
; CHECK-LABEL: @subtracted_from
; CHECK: cmpxchg
define spir_kernel void @subtracted_from(ptr addrspace(1) %p, float %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %old = bitcast i32 %expected to float
  %sum = fsub float %x, %old
  %new = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; What is expected was read elsewhere.
; CHECK-LABEL: @other_place
; CHECK: cmpxchg
define spir_kernel void @other_place(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %q, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: @volatile_exchange
; CHECK: cmpxchg volatile
define spir_kernel void @volatile_exchange(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg volatile ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Two halves are added without a carry between them: no atomic operation does that.
; CHECK-LABEL: @halves
; CHECK: cmpxchg
define spir_kernel void @halves(ptr addrspace(1) %p, <2 x i16> %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %old = bitcast i32 %expected to <2 x i16>
  %sum = add <2 x i16> %old, %x
  %new = bitcast <2 x i16> %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: @doubled
; CHECK: cmpxchg
define spir_kernel void @doubled(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The value that is expected next is the one that was wanted, not the one that was seen.
; CHECK-LABEL: @expects_other
; CHECK: cmpxchg
define spir_kernel void @expects_other(ptr addrspace(1) %p, i32 %first, i32 %x) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ %first, %entry ], [ %x, %loop ]
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The address changes from try to try.
; CHECK-LABEL: @moving
; CHECK: cmpxchg
define spir_kernel void @moving(ptr addrspace(1) %places, i32 %first, i32 %x) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %p = load ptr addrspace(1), ptr addrspace(1) %places, align 8
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Between two tries the loop waits, in a block of its own.
; CHECK-LABEL: @with_pause
; CHECK: cmpxchg
define spir_kernel void @with_pause(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %pause
pause:
  fence seq_cst
  br label %loop
exit:
  ret void
}

; A header that is also a latch, beside an empty latch.
; CHECK-LABEL: @two_latches
; CHECK: cmpxchg
define spir_kernel void @two_latches(ptr addrspace(1) %p, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %s = phi i32 [ 0, %entry ], [ 5, %loop ], [ 7, %latch ]
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %s
  %pair = cmpxchg ptr addrspace(1) %q, i32 %s, i32 1 monotonic monotonic, align 4
  %v = extractvalue { i32, i1 } %pair, 0
  switch i32 %v, label %exit [ i32 0, label %loop
                               i32 1, label %latch ]
latch:
  br label %loop
exit:
  store i32 %s, ptr addrspace(1) %out
  ret void
}

; Loops around a compare-exchange become one atomic operation.
; RUN: hostclc --passes='function(exchange-loops)' %s | FileCheck %s
; RUN: hostclc --passes='function(exchange-loops<no-exchange_loops>)' %s | FileCheck %s --check-prefix=WITHOUT

; What the last attempt has seen is expected next. The first load is gone, as the operation reads the memory.
; CHECK-LABEL: @add_float
; CHECK-NOT: load
; CHECK: %[[OLD:.*]] = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic, align 4, !hostcl.serial
; CHECK: %[[BITS:.*]] = bitcast float %[[OLD]] to i32
; CHECK-NOT: cmpxchg
; CHECK: store i32 %[[BITS]], ptr addrspace(1) %out
; WITHOUT-LABEL: @add_float
; WITHOUT: loop:
; WITHOUT: cmpxchg ptr addrspace(1) %p
define spir_kernel void @add_float(ptr addrspace(1) %p, float %x, ptr addrspace(1) %out) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %expected = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %old = bitcast i32 %expected to float
  %sum = fadd float %old, %x
  %new = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  store i32 %seen, ptr addrspace(1) %out
  ret void
}

; Parts are taken out behind the loop.
; WITHOUT-LABEL: @parts_outside
; CHECK-LABEL: @parts_outside
; CHECK: %[[OLD:.*]] = atomicrmw xor ptr addrspace(1) %p, i32 %x
; CHECK-NOT: poison
; CHECK: store i32 %[[OLD]], ptr addrspace(1) %out
; CHECK: zext i1 true to i32
define spir_kernel void @parts_outside(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = xor i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  %seen = extractvalue { i32, i1 } %pair, 0
  store i32 %seen, ptr addrspace(1) %out
  %also = extractvalue { i32, i1 } %pair, 1
  %number = zext i1 %also to i32
  store i32 %number, ptr addrspace(1) %out
  ret void
}

; Each iteration looks first; the comparison is the program's.
; CHECK-LABEL: @max_int
; CHECK-NOT: load
; CHECK: %[[OLD:.*]] = atomicrmw max ptr addrspace(3) %p, i32 %x acq_rel
; CHECK-NOT: cmpxchg
; CHECK: store i32 %[[OLD]], ptr addrspace(1) %out
define spir_kernel void @max_int(ptr addrspace(3) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(3) %p, align 4
  %new = call i32 @llvm.smax.i32(i32 %x, i32 %expected)
  %pair = cmpxchg ptr addrspace(3) %p, i32 %expected, i32 %new acq_rel monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %again = icmp ne i32 %seen, %expected
  br i1 %again, label %loop, label %exit
exit:
  store i32 %expected, ptr addrspace(1) %out
  ret void
}

; No loop at all.
; CHECK-LABEL: @once
; CHECK: cmpxchg
define spir_kernel void @once(ptr addrspace(1) %p, i32 %x, i1 %c) {
entry:
  br i1 %c, label %next, label %other
other:
  br label %next
next:
  %expected = phi i32 [ 0, %entry ], [ 1, %other ]
  %new = add i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  ret void
}

; A difference the wrong way round, an operation that there is no atomic for, the new value used outside, a counter of
; iterations, another store, a loop that ends on failure: all stay.
; CHECK-LABEL: @reversed
; CHECK: cmpxchg
; CHECK-LABEL: @product
; CHECK: cmpxchg
; CHECK-LABEL: @uses_new
; CHECK: cmpxchg
; CHECK-LABEL: @counts
; CHECK: cmpxchg
; CHECK-LABEL: @stores
; CHECK: cmpxchg
; CHECK-LABEL: @until_failure
; CHECK: cmpxchg
define spir_kernel void @reversed(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = sub i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
define spir_kernel void @product(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = mul i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
define spir_kernel void @uses_new(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = add i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  store i32 %new, ptr addrspace(1) %out
  ret void
}
define spir_kernel void @counts(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %iterations = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %iterations, 1
  %new = add i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  store i32 %iterations, ptr addrspace(1) %out
  ret void
}
define spir_kernel void @stores(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = add i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  store i32 %seen, ptr addrspace(1) %out
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
define spir_kernel void @until_failure(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = add i32 %x, %expected
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %loop, label %exit
exit:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)

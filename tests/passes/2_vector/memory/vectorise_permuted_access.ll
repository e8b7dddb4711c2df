; Elements that the lanes take from one or two rows, in an order that uniform values tell.
; RUN: hostclc --passes='vectorise<width=8>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; A partner's place is the lane's own with bits inverted: one row, permuted.
; CHECK-LABEL: @butterfly
; CHECK: %[[BELOW:.*]] = and i64 %distance, 7
; CHECK: %[[DISTANCES:.*]] = xor <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: br i1 %{{.*}}, label %window, label %unknown
; CHECK: window:
; CHECK: br i1 %{{.*}}, label %row, label %permuted
; CHECK: unknown:
; CHECK: masked.gather
; CHECK: row:
; CHECK-NEXT: masked.load
; CHECK: permuted:
; CHECK: %[[ROW:.*]] = call <8 x float> @llvm.masked.load
; CHECK-NEXT: %[[NUMBERS:.*]] = bitcast <8 x float> %[[ROW]] to <8 x i32>
; CHECK-NEXT: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %[[NUMBERS]]
define spir_kernel void @butterfly(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %distance) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %partner = xor i64 %i, %distance
  %p = getelementptr float, ptr addrspace(1) %in, i64 %partner
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; The left ones of pairs lie in two rows. 32-bit arithmetic must not wrap.
; CHECK-LABEL: @pairs
; CHECK: %[[OFFSETS:.*]] = sub <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; CHECK: icmp ule i32 %{{.*}}, -38
; CHECK: label %window, label %unknown
; CHECK: row:
; CHECK-NEXT: masked.store
; CHECK: permuted:
; CHECK: masked.store
; CHECK: masked.store
; CHECK: scattered:
; CHECK: masked.scatter
define spir_kernel void @pairs(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %distance) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %twice = shl i32 %x, 1
  %mask = add i32 %distance, -1
  %inner = and i32 %x, %mask
  %left = sub i32 %twice, %inner
  %wide = zext i32 %left to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; A ring's index is likely a row; permutations of it are not.
; CHECK-LABEL: @ring
; CHECK-NOT: window
; CHECK: ret void
define spir_kernel void @ring(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %mask) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = and i64 %i, %mask
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; Nor are lanes that index their own copies of a private array.
; CHECK-LABEL: @own_copies
; CHECK-NOT: window
; CHECK: ret void
define spir_kernel void @own_copies(ptr addrspace(1) %out) {
  %copies = alloca { [3 x i32], i64, [4 x i32] }
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = and i64 %i, 3
  %p = getelementptr { [3 x i32], i64, [4 x i32] }, ptr %copies, i64 0, i32 2, i64 %at
  %whole = getelementptr { [3 x i32], i64, [4 x i32] }, ptr %copies, i64 0, i32 1
  store i64 %i, ptr %whole
  store i32 1, ptr %p
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 0, ptr addrspace(1) %q
  ret void
}

; The window stands at the address: it serves accesses in blocks that do not follow each other.
; CHECK-LABEL: @two_ways
; CHECK: %[[HOLDS:.*]] = freeze i1
; CHECK: br i1 %c,
; CHECK: br i1 %[[HOLDS]], label %window, label %unknown
; CHECK: br i1 %[[HOLDS]], label %window{{[0-9]+}}, label %unknown
define spir_kernel void @two_ways(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %distance, i1 %c) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %partner = xor i64 %i, %distance
  %p = getelementptr float, ptr addrspace(1) %in, i64 %partner
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  br i1 %c, label %then, label %else
then:
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %q
  ret void
else:
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='function(exchange-loops)' %s | FileCheck %s
; The update keeps the exchange's order, scope, alignment and address space, and has the type in which the program adds;
; it is marked as serial, which matters for types that round.

; CHECK-LABEL: @doubles
; CHECK: atomicrmw fsub ptr addrspace(1) %p, double %x syncscope("workgroup") seq_cst, align 16, !hostcl.serial
define spir_kernel void @doubles(ptr addrspace(1) %p, double %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i64, ptr addrspace(1) %p, align 8
  %old = bitcast i64 %expected to double
  %sum = fsub double %old, %x
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr addrspace(1) %p, i64 %expected, i64 %new syncscope("workgroup") seq_cst monotonic, align 16
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: @halves
; CHECK: %[[OLD:.*]] = atomicrmw fadd ptr addrspace(3) %p, half %x acquire, align 2
; CHECK: %[[BITS:.*]] = bitcast half %[[OLD]] to i16
; CHECK: store i16 %[[BITS]], ptr addrspace(1) %out
define spir_kernel void @halves(ptr addrspace(3) %p, half %x, i16 %first, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = phi i16 [ %first, %entry ], [ %seen, %loop ]
  %old = bitcast i16 %expected to half
  %sum = fadd half %x, %old
  %new = bitcast half %sum to i16
  %pair = cmpxchg ptr addrspace(3) %p, i16 %expected, i16 %new acquire monotonic, align 2
  %seen = extractvalue { i16, i1 } %pair, 0
  %done = extractvalue { i16, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  store i16 %seen, ptr addrspace(1) %out
  ret void
}

; The old value may have been looked at as a float only: a load of a float from the same place.
; CHECK-LABEL: @loaded_as_float
; CHECK: %[[OLD:.*]] = atomicrmw fmin ptr addrspace(4) %p, float %x release, align 4
; CHECK: store float %[[OLD]], ptr addrspace(1) %out
define spir_kernel void @loaded_as_float(ptr addrspace(4) %p, float %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(4) %p, align 4
  %expected = bitcast float %old to i32
  %least = call float @llvm.minnum.f32(float %old, float %x)
  %new = bitcast float %least to i32
  %pair = cmpxchg weak ptr addrspace(4) %p, i32 %expected, i32 %new release monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  store float %old, ptr addrspace(1) %out
  ret void
}

; IEEE's minimum of 2019, which gives NaN for NaN, is another operation than minnum.
; CHECK-LABEL: @minimum
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define spir_kernel void @minimum(ptr addrspace(1) %p, float %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %old = bitcast i32 %expected to float
  %least = call float @llvm.minimum.f32(float %old, float %x)
  %new = bitcast float %least to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Old minus a number is a subtraction; the smaller of two unsigned numbers is that of unsigned ones.
; CHECK-LABEL: @unsigned
; CHECK: atomicrmw sub ptr addrspace(1) %p, i64 %x monotonic
; CHECK: atomicrmw umin ptr addrspace(1) %q, i64 %x monotonic
define spir_kernel void @unsigned(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i64, ptr addrspace(1) %p, align 8
  %new = sub i64 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i64 %expected, i64 %new monotonic monotonic, align 8
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %again, label %loop
again:
  %wanted = load volatile i64, ptr addrspace(1) %q, align 8
  %least = call i64 @llvm.umin.i64(i64 %wanted, i64 %x)
  %second = cmpxchg ptr addrspace(1) %q, i64 %wanted, i64 %least monotonic monotonic, align 8
  %ready = extractvalue { i64, i1 } %second, 1
  br i1 %ready, label %exit, label %again
exit:
  ret void
}

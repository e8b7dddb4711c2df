; RUN: hostclc --passes='function(exchange-loops)' %s | FileCheck %s
; The operand may be computed in the loop, from plain memory as well: no iteration but the last one writes, and other work-items'
; writes would race with the read.

; CHECK-LABEL: @read_in_the_loop
; CHECK: loop:
; CHECK-NEXT: %w = load float, ptr addrspace(1) %q
; CHECK-NEXT: %x = fmul float %w, 2.000000e+00
; CHECK-NEXT: atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
; CHECK-NEXT: br label %exit
define spir_kernel void @read_in_the_loop(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %old = bitcast i32 %expected to float
  %w = load float, ptr addrspace(1) %q
  %x = fmul float %w, 2.0
  %sum = fadd float %old, %x
  %new = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; What was read is used elsewhere, or orders what follows: the load stays.
; CHECK-LABEL: @kept
; CHECK: %first = load volatile i32
; CHECK: atomicrmw add
; CHECK: store i32 %first
; CHECK: load atomic i32, ptr addrspace(1) %p acquire
; CHECK: atomicrmw add
define spir_kernel void @kept(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %o) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %expected = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %next, label %loop
next:
  store i32 %first, ptr addrspace(1) %o
  br label %second
second:
  %other = load atomic i32, ptr addrspace(1) %p acquire, align 4
  %more = add i32 %other, %x
  %again = cmpxchg ptr addrspace(1) %p, i32 %other, i32 %more monotonic monotonic, align 4
  %good = extractvalue { i32, i1 } %again, 1
  br i1 %good, label %exit, label %second
exit:
  ret void
}

; CHECK-NOT: atomicrmw

; Volatile memory may be another one in each iteration, and so may what a failed exchange has acquired.
; CHECK-LABEL: @volatile_operand
; CHECK: cmpxchg
define spir_kernel void @volatile_operand(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %x = load volatile i32, ptr addrspace(1) %q
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: @acquired_operand
; CHECK: cmpxchg
define spir_kernel void @acquired_operand(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %x = load i32, ptr addrspace(1) %q
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new acq_rel acquire, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A call that writes is one for each iteration.
; CHECK-LABEL: @counted
; CHECK: cmpxchg
define spir_kernel void @counted(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %x = call i32 @next()
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; What lanes do together depends on those that still try.
; CHECK-LABEL: @together
; CHECK: cmpxchg
define spir_kernel void @together(ptr addrspace(1) %p, i32 %y) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %x = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %y)
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
declare i32 @next()
declare i32 @__hostcl_sub_group_reduce_add_i32(i32) convergent nounwind willreturn memory(none)

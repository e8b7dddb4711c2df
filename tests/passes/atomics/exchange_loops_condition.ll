; RUN: hostclc --passes='function(exchange-loops)' %s | FileCheck %s
; After the loop its condition is what it was when the exchange succeeded, whichever way it was written.

; CHECK-LABEL: @failed
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 %x monotonic
; CHECK-NOT: poison
; CHECK: zext i1 false to i32
define spir_kernel void @failed(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %again = icmp ne i32 %seen, %expected
  br i1 %again, label %loop, label %exit
exit:
  %number = zext i1 %again to i32
  store i32 %number, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @equal
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 %x monotonic
; CHECK-NOT: poison
; CHECK: phi i1 [ true, %loop ]
define spir_kernel void @equal(ptr addrspace(1) %p, i32 %x, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %expected, %seen
  br i1 %done, label %exit, label %loop
exit:
  %flag = phi i1 [ %done, %loop ]
  %number = zext i1 %flag to i32
  store i32 %number, ptr addrspace(1) %out
  ret void
}

; The loop must go on while the exchange fails: one that goes on while it succeeds is another loop.
; CHECK-LABEL: @while_equal
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define spir_kernel void @while_equal(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %expected, %seen
  br i1 %same, label %loop, label %exit
exit:
  ret void
}

; An order of the two numbers does not tell whether the exchange succeeded.
; CHECK-LABEL: @while_less
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define spir_kernel void @while_less(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr addrspace(1) %p, align 4
  %new = add i32 %expected, %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %less = icmp ult i32 %seen, %expected
  br i1 %less, label %loop, label %exit
exit:
  ret void
}

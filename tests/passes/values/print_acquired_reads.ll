; RUN: hostclc --passes='function(print<acquired-reads>)' %s 2>&1 >/dev/null | FileCheck %s

; CHECK: k:
; CHECK-NEXT: %b: after an acquire
; CHECK-NOT: {{.}}
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %lock) {
  %a = load i32, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %b = load i32, ptr addrspace(1) %p
  ret void
}

; On x86 all orders of a read-modify-write but relaxed are one.
; RUN: hostclc --passes=host-orders %s | FileCheck %s

; CHECK-LABEL: @updates
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
; CHECK: atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
; CHECK: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
; CHECK: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst
; CHECK: load atomic i32, ptr addrspace(1) %p acquire
; CHECK: store atomic i32 1, ptr addrspace(1) %p release
; CHECK: fence acquire
define spir_kernel void @updates(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 release
  %c = atomicrmw xchg ptr addrspace(1) %p, i32 1 acq_rel
  %d = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
  %e = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 acq_rel monotonic
  %f = load atomic i32, ptr addrspace(1) %p acquire, align 4
  store atomic i32 1, ptr addrspace(1) %p release, align 4
  fence acquire
  ret void
}

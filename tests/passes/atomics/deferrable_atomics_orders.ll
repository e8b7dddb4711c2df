; RUN: hostclc --passes='function(deferrable-atomics)' %s | FileCheck %s
; An update may wait only if it is relaxed and nothing in the kernel orders memory for other threads: fences of one thread and
; orders of local memory do not, all else does; the mark is on updates that can be combined, of 32 and 64 bits.

declare void @unknown()
declare void @harmless() memory(none) nounwind willreturn
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: @single_thread
; CHECK: atomicrmw add {{.*}}!hostcl.deferrable
define spir_kernel void @single_thread(ptr addrspace(1) %n) {
  fence syncscope("singlethread") seq_cst
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  ret void
}

; CHECK-LABEL: @local_order
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}!hostcl.deferrable
define spir_kernel void @local_order(ptr addrspace(1) %n, ptr addrspace(3) %l) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %b = load atomic i32, ptr addrspace(3) %l acquire, align 4
  store atomic i32 %b, ptr addrspace(3) %l release, align 4
  %c = cmpxchg ptr addrspace(3) %l, i32 0, i32 1 seq_cst acquire
  ret void
}

; A generic pointer may be one of global memory.
; CHECK-LABEL: @generic_order
; CHECK-NOT: !hostcl.deferrable
; CHECK: ret void
define spir_kernel void @generic_order(ptr addrspace(1) %n, ptr addrspace(4) %l) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %b = load atomic i32, ptr addrspace(4) %l acquire, align 4
  ret void
}

; The failure's order counts, too.
; CHECK-LABEL: @failure_order
; CHECK-NOT: !hostcl.deferrable
; CHECK: ret void
define spir_kernel void @failure_order(ptr addrspace(1) %n, ptr addrspace(1) noalias %l) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %b = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 monotonic acquire
  ret void
}

; CHECK-LABEL: @calls
; CHECK-NOT: !hostcl.deferrable
; CHECK: ret void
define spir_kernel void @calls(ptr addrspace(1) %n, ptr %function) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  call void %function()
  ret void
}

; A call without effects, and a barrier of the group, show nothing to others.
; CHECK-LABEL: @harmless_call
; CHECK: atomicrmw add {{.*}}!hostcl.deferrable
define spir_kernel void @harmless_call(ptr addrspace(1) %n) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  call void @harmless()
  call void @__hostcl_barrier(i32 1)
  ret void
}

; CHECK-LABEL: @kinds
; CHECK-NOT: !hostcl.deferrable
; CHECK: ret void
define spir_kernel void @kinds(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c,
                               ptr addrspace(1) noalias %d, ptr addrspace(1) noalias %e, ptr %own) {
  %1 = atomicrmw volatile add ptr addrspace(1) %a, i32 1 monotonic
  %2 = atomicrmw add ptr addrspace(1) %b, i16 1 monotonic
  %3 = atomicrmw xchg ptr addrspace(1) %c, i32 1 monotonic
  %4 = atomicrmw fadd ptr addrspace(1) %d, half 1.0 monotonic
  %5 = atomicrmw nand ptr addrspace(1) %e, i32 1 monotonic
  %6 = atomicrmw add ptr %own, i32 1 monotonic
  ret void
}

; CHECK-LABEL: @no_kernel
; CHECK-NOT: !hostcl.deferrable
; CHECK: ret void
define void @no_kernel(ptr addrspace(1) %n) {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  ret void
}

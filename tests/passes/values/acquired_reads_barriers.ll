; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | grep -E ':$|acquire' | FileCheck %s
; After a barrier, reads of the memory that its flags name (1 local, 2 global) no longer count as reads after an
; acquire. In a loop, an acquire reaches the next iteration.

declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK: flags:
; CHECK-NEXT: %a: {{.*}}; after an acquire
; CHECK-NEXT: %b: {{.*}}; after an acquire
; CHECK-NEXT: call 1, @__hostcl_barrier: after an acquire
; CHECK-NEXT: %c: {{.*}}; after an acquire
; CHECK-NEXT: call 2, @__hostcl_barrier: after an acquire
; CHECK-NEXT: in_a_loop:
; CHECK-NEXT: %a: {{.*}}; after an acquire
; CHECK-NOT: {{.}}
define spir_kernel void @flags(ptr addrspace(1) %p, ptr addrspace(3) %t, ptr addrspace(1) %lock) {
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(3) %t
  call void @__hostcl_barrier(i32 1)
  %c = load i32, ptr addrspace(1) %p
  %d = load i32, ptr addrspace(3) %t
  call void @__hostcl_barrier(i32 2)
  %e = load i32, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @in_a_loop(ptr addrspace(1) %p, ptr addrspace(1) %lock) {
entry:
  br label %loop
loop:
  %a = load i32, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %more = icmp eq i32 %old, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

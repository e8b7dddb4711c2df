; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Loads of local and global memory from a uniform address are uniform. Loads of private memory, atomics, volatile loads,
; and loads after an acquire are divergent.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %same: {{.*}}; group-uniform
; CHECK: %local: {{.*}}; group-uniform
; CHECK: %own: {{.*}}; group-divergent
; CHECK: %old: {{.*}}; group-divergent
; CHECK: %volatile: {{.*}}; group-divergent
; CHECK: %item: {{.*}}; group-divergent
; CHECK: after_acquire:
; CHECK: %lock: {{.*}}; group-divergent
; CHECK: %then: {{.*}}; group-divergent
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %t) {
  %v = alloca i32
  %i = call i64 @__hostcl_local_id(i32 0)
  %same = load i32, ptr addrspace(1) %a
  %local = load i32, ptr addrspace(3) %t
  %own = load i32, ptr %v
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %volatile = load volatile i32, ptr addrspace(1) %a
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %item = load i32, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @after_acquire(ptr addrspace(1) %a) {
  %lock = atomicrmw xchg ptr addrspace(1) %a, i32 1 acquire
  %p = getelementptr i32, ptr addrspace(1) %a, i64 1
  %then = load i32, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; A load from a uniform address is uniform. The results of atomics and volatile loads are varying, and so are the
; results of calls, except calls of pure functions with uniform arguments.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i32 @pure(i32) memory(none) nounwind willreturn
declare i32 @reads(i32) memory(read) nounwind willreturn
declare i32 @together(i32) convergent memory(none) nounwind willreturn

; CHECK: k:
; CHECK: %same: uniform
; CHECK: %own: varying
; CHECK: %volatile: varying
; CHECK: %old: varying
; CHECK: %pair: varying
; CHECK: %p: uniform
; CHECK: %q: varying
; CHECK: %r: varying
; CHECK: %s: varying
define spir_kernel void @k(ptr addrspace(1) %a, i32 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %same = load i32, ptr addrspace(1) %a
  %at = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %own = load i32, ptr addrspace(1) %at
  %volatile = load volatile i32, ptr addrspace(1) %a
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(1) %a, i32 1, i32 2 monotonic monotonic
  %p = call i32 @pure(i32 %n)
  %q = call i32 @pure(i32 %own)
  %r = call i32 @reads(i32 %n)
  %s = call i32 @together(i32 %n)
  ret void
}

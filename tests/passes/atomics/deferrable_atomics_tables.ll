; RUN: hostclc --passes='function(deferrable-atomics)' %s | FileCheck %s
; Updates of one kind share a table, each kind and type has its own place in the context, four at most; a sum of integers at one
; address needs none, one of floats does, because it must be made in the program's order.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @one_address(
; CHECK-SAME: [[NONE:#[0-9]+]] {
; CHECK: atomicrmw add {{.*}}!hostcl.deferrable [[ZERO:![0-9]+]]
; CHECK: atomicrmw umax {{.*}}!hostcl.deferrable [[ZERO]]
define spir_kernel void @one_address(ptr addrspace(1) noalias %n, ptr addrspace(1) noalias %m, i64 %x) nounwind {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  %b = atomicrmw umax ptr addrspace(1) %m, i64 %x monotonic
  ret void
}

; CHECK-LABEL: define {{.*}}void @float_at_one_address(
; CHECK-SAME: [[TABLE:#[0-9]+]] {
; CHECK: atomicrmw fadd {{.*}}!hostcl.deferrable [[ZERO]]
define spir_kernel void @float_at_one_address(ptr addrspace(1) noalias %n, float %x) {
  %a = atomicrmw fadd ptr addrspace(1) %n, float %x monotonic
  ret void
}

; Sums and differences of one type go to one table; other operations and types do not. The fifth kind finds no place.
; CHECK-LABEL: define {{.*}}void @kinds(
; CHECK-SAME: [[FOUR:#[0-9]+]] {
; CHECK: atomicrmw add {{.*}} i32 1 {{.*}}!hostcl.deferrable [[ZERO]]
; CHECK: atomicrmw add {{.*}} i32 2 {{.*}}!hostcl.deferrable [[ZERO]]
; CHECK: atomicrmw add {{.*}} i64 1 {{.*}}!hostcl.deferrable [[SECOND:![0-9]+]]
; CHECK: atomicrmw max {{.*}}!hostcl.deferrable [[THIRD:![0-9]+]]
; CHECK: atomicrmw umax {{.*}}!hostcl.deferrable [[FOURTH:![0-9]+]]
; CHECK: atomicrmw xor ptr addrspace(1) %place.e, i32 1 monotonic, align 4{{$}}
define spir_kernel void @kinds(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c,
                               ptr addrspace(1) noalias %d, ptr addrspace(1) noalias %e, ptr addrspace(2) %where) {
  %i = load i64, ptr addrspace(2) %where
  %place.a = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %place.b = getelementptr i64, ptr addrspace(1) %b, i64 %i
  %place.c = getelementptr i32, ptr addrspace(1) %c, i64 %i
  %place.d = getelementptr i32, ptr addrspace(1) %d, i64 %i
  %place.e = getelementptr i32, ptr addrspace(1) %e, i64 %i
  %1 = atomicrmw add ptr addrspace(1) %place.a, i32 1 monotonic
  %2 = atomicrmw add ptr addrspace(1) %place.a, i32 2 monotonic
  %3 = atomicrmw add ptr addrspace(1) %place.b, i64 1 monotonic
  %4 = atomicrmw max ptr addrspace(1) %place.c, i32 1 monotonic
  %5 = atomicrmw umax ptr addrspace(1) %place.d, i32 1 monotonic
  %6 = atomicrmw xor ptr addrspace(1) %place.e, i32 1 monotonic
  ret void
}

; CHECK-NOT: attributes [[NONE]] = {{.*}}"hostcl.context_fixed"
; CHECK: attributes [[TABLE]] = { "hostcl.context_fixed"="{{[1-9][0-9]*}}" "hostcl.context_per_chunk"="0" }
; CHECK: [[ZERO]] = !{i64 0}

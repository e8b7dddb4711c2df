; RUN: hostclc --passes='function(group-atomics)' %s | FileCheck %s
; One atomic serves the group only where all vectors come by once, at one address, with a sum: not for volatile ones, in
; local memory, where the address comes from an id or from another atomic, in irreducible loops, or with private arrays.

; CHECK-NOT: @total =
; CHECK-NOT: @__hostcl_barrier

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @keep(ptr)

; CHECK-LABEL: define {{.*}}void @volatile(
; CHECK: atomicrmw volatile add
define spir_kernel void @volatile(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %old = atomicrmw volatile add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}void @local(
; CHECK-NEXT: atomicrmw add ptr addrspace(3)
define spir_kernel void @local(ptr addrspace(3) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %old = atomicrmw add ptr addrspace(3) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}void @own_address(
; CHECK: atomicrmw add ptr addrspace(1) %cell, i32 1
define spir_kernel void @own_address(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %cell = getelementptr i32, ptr addrspace(1) %n, i64 %x
  %old = atomicrmw add ptr addrspace(1) %cell, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}void @address_from_atomic(
; CHECK-COUNT-2: atomicrmw
; CHECK-NOT: atomicrmw
; CHECK: ret void
define spir_kernel void @address_from_atomic(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %i = atomicrmw xor ptr addrspace(1) %n, i64 1 monotonic
  %cell = getelementptr i32, ptr addrspace(1) %n, i64 %i
  %old = atomicrmw add ptr addrspace(1) %cell, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; A circle with two entries is a loop, too.
; CHECK-LABEL: define {{.*}}void @two_entries(
; CHECK: atomicrmw add ptr addrspace(1) %n, i32 1
define spir_kernel void @two_entries(ptr addrspace(1) %n, ptr addrspace(1) %out, i1 %c, i1 %d) "hostcl.width"="8" {
entry:
  br i1 %c, label %a, label %b
a:
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  br label %b
b:
  br i1 %d, label %a, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @private_array(
; CHECK: atomicrmw add ptr addrspace(1) %n, i32 1
define spir_kernel void @private_array(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %array = alloca [16 x i32]
  call void @keep(ptr %array)
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}void @no_sums(
; CHECK: atomicrmw umax
; CHECK: atomicrmw fadd
; CHECK: atomicrmw xchg
; CHECK: cmpxchg
define spir_kernel void @no_sums(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %a = atomicrmw umax ptr addrspace(1) %n, i32 1 monotonic
  store i32 %a, ptr addrspace(1) %out
  %b = atomicrmw fadd ptr addrspace(1) %n, float 1.0 monotonic
  store float %b, ptr addrspace(1) %out
  %c = atomicrmw xchg ptr addrspace(1) %n, i32 1 monotonic
  store i32 %c, ptr addrspace(1) %out
  %d = cmpxchg ptr addrspace(1) %n, i32 0, i32 1 monotonic monotonic
  %e = extractvalue { i32, i1 } %d, 0
  store i32 %e, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define void @no_kernel(
; CHECK: atomicrmw add ptr addrspace(1) %n, i32 1
define void @no_kernel(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" {
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | grep -E ':$|acquire' | FileCheck %s
; A fence after an atomic or volatile read is an acquire. A fence without such a read, and a release, are not.

; CHECK: fence_after_read:
; CHECK-NEXT: %b: {{.*}}; after an acquire
; CHECK-NEXT: fence_alone:
; CHECK-NEXT: release:
; CHECK-NEXT: volatile_read:
; CHECK-NEXT: %b: {{.*}}; after an acquire
; CHECK-NOT: {{.}}
define spir_kernel void @fence_after_read(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
  %a = load i32, ptr addrspace(1) %p
  %f = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  fence acquire
  %b = load i32, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @fence_alone(ptr addrspace(1) %p) {
  fence acquire
  %b = load i32, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @release(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
  store atomic i32 1, ptr addrspace(1) %flag release, align 4
  %b = load i32, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @volatile_read(ptr addrspace(1) %p, ptr addrspace(1) %flag) {
  %f = load volatile i32, ptr addrspace(1) %flag
  fence acq_rel
  %b = load i32, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; What is read by a parameter by which the kernel does not write is recorded if its object may be that of one by which it
; writes. No object is written here by which the second kernel reads.

; CHECK-LABEL: define spir_kernel void @copy(
; CHECK: %may_be_written = or i1 false, %
; CHECK: br i1 %may_be_written, label %[[RECORD:.*]], label %[[READ:.*]]
; CHECK: call i1 @hostcl.race.read.global.1(
; CHECK: load i32, ptr addrspace(1) %from
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @copy(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @read(
; CHECK-NOT: hostcl.race
; CHECK: ret void
define spir_kernel void @read(ptr addrspace(1) %from) {
  %x = load i32, ptr addrspace(1) %from
  ret void
}

; A pointer that was read may lead to any of them.
; CHECK-LABEL: define spir_kernel void @elsewhere(
; CHECK-NOT: may_be_written
; CHECK: call i1 @hostcl.race.read.global.2(
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @elsewhere(ptr addrspace(1) %from) {
  %to = load ptr addrspace(1), ptr addrspace(1) %from, align 8
  store i32 1, ptr addrspace(1) %to
  ret void
}

; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s

; With the module flag subnormal numbers count as zero between the first instruction and the return.
; CHECK-LABEL: define void @k.entry(
; CHECK: call void @llvm.x86.sse.stmxcsr(ptr [[BEFORE:%.*]])
; CHECK: [[MODE:%.*]] = load i32, ptr [[BEFORE]]
; CHECK: or i32 [[MODE]], 32832
; CHECK: call void @llvm.x86.sse.ldmxcsr(
; CHECK: end:
; CHECK-NEXT: call void @llvm.x86.sse.ldmxcsr(ptr [[BEFORE]])
; CHECK-NEXT: ret void
define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  store i64 0, ptr addrspace(1) %p
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"hostcl.flush_denormals", i32 1}

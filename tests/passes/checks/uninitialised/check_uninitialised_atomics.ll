; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; An update of memory that was never written is reported in global memory, and keeps the shadow in local memory; an
; exchange of all of it writes; one that compares needs to know what there is.

; CHECK: c"an uninitialised value from argument 0, 'a', is updated in global memory\00"
; CHECK: c"an uninitialised value from argument 0, 'a', decides an exchange\00"

; CHECK-LABEL: define spir_kernel void @add(
; CHECK: %[[BEFORE:.*]] = load i32, ptr addrspace(1) %
; CHECK: icmp ne i32 %[[BEFORE]], 0
; CHECK: store i32 0, ptr addrspace(1) %
; CHECK: call void @__hostcl_report(
; CHECK: atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
define spir_kernel void @add(ptr addrspace(1) %a) {
  %x = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define spir_kernel void @exchange(
; CHECK-NOT: report
; CHECK: store i32 0, ptr addrspace(1) %
; CHECK-NEXT: atomicrmw xchg
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @exchange(ptr addrspace(1) %a) {
  %x = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define spir_kernel void @local(
; CHECK-NOT: report
; CHECK: %[[LEFT:.*]] = load i32, ptr addrspace(3) %t.shadow
; CHECK: store i32 %[[LEFT]], ptr addrspace(3) %t.shadow
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %t
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @local(ptr addrspace(3) %t) {
  %x = atomicrmw add ptr addrspace(3) %t, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define spir_kernel void @compare(
; CHECK: %[[THERE:.*]] = load i32, ptr addrspace(1) %
; CHECK: icmp ne i32 %[[THERE]], 0
; CHECK: store i32 0, ptr addrspace(1) %
; CHECK: call void @__hostcl_report(
; CHECK: cmpxchg
define spir_kernel void @compare(ptr addrspace(1) %a) {
  %x = cmpxchg ptr addrspace(1) %a, i32 1, i32 2 monotonic monotonic
  ret void
}

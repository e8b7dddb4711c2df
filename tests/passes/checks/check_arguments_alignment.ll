; RUN: hostclc --passes=check-arguments %s | FileCheck %s
; Misaligned accesses are reported with their address, and not performed. What the host gives a kernel is as it is, whatever
; its parameter claims; steps of whole elements change nothing.

; CHECK: c"read at an address that is not a multiple of 8, as its type asks for\00"
; CHECK: c"write at an address that is not a multiple of 4, as its type asks for\00"
; CHECK: c"update at an address that is not a multiple of 4, as its type asks for\00"

; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) align 8 %t
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK: %[[LOW:.*]] = and i64 %[[A]], 7
; CHECK: %[[RIGHT:.*]] = icmp eq i64 %[[LOW]], 0
; CHECK: br i1 %[[RIGHT]], label %[[DO:.*]], label %[[REPORT:[0-9]+]],
; CHECK: [[DO]]:
; CHECK-NEXT: %x = load i64, ptr addrspace(1) %p, align 8
; CHECK: [[REPORT]]:
; CHECK: call void @__hostcl_report(i64 %[[A]],
; CHECK: phi i64 [ %x, %{{.*}} ], [ 0, %{{.*}} ]
; CHECK: %[[Q:.*]] = ptrtoint ptr addrspace(1) %q to i64
; CHECK: and i64 %[[Q]], 3
; CHECK: store i32 1, ptr addrspace(1) %q
; CHECK: and i64 %{{.*}}, 3
; CHECK: atomicrmw add ptr addrspace(1) %q
; CHECK: call void @__hostcl_report(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) align 8 %a, ptr addrspace(3) align 8 %t, i64 %i) {
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p, align 8
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %q, align 4
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, align 4
  %byte = load i8, ptr addrspace(1) %q, align 1
  %packed = load i32, ptr addrspace(1) %q, align 1
  %y = load i64, ptr addrspace(3) %t, align 8
  %own = alloca i64, align 8
  store i64 %y, ptr %own, align 8
  ret void
}

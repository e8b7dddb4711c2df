; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; RUN: hostclc --passes='function(check-bounds<no-proven_bounds>)' %s | FileCheck %s --check-prefix=WITHOUT
; A group takes the copy without checks only if all accesses are right whose offsets have bounds. What has none is
; checked in both copies.

declare i64 @__hostcl_local_id(i32)

; CHECK-LABEL: define spir_kernel void @some_bounds(
; CHECK: icmp sge i64 %[[LEAST:[0-9]+]], %low
; CHECK: %[[RIGHT_A:[0-9]+]] = and i1
; CHECK-NEXT: %[[A:[0-9]+]] = and i1 %[[RIGHT_A]], %[[VALID:[0-9]+]]
; CHECK: icmp sge i64 %[[LEAST]], %low1
; CHECK: %[[B:[0-9]+]] = and i1 %{{.*}}, %[[VALID]]
; CHECK: %[[ALL:[0-9]+]] = and i1 %[[A]], %[[B]]
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: br i1 %[[ALL]], label %[[PLAIN:.*]], label %[[CHECKED:.*]]
; CHECK: [[PLAIN]]:
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK: call void @__hostcl_report(
; CHECK-NOT: __hostcl_report
; CHECK: ret void
; CHECK: [[CHECKED]]:
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK: call void @__hostcl_report(
; CHECK: call void @__hostcl_report(
; CHECK: call void @__hostcl_report(
; CHECK-NOT: __hostcl_report

; WITHOUT-LABEL: define spir_kernel void @some_bounds(
; WITHOUT-NOT: __hostcl_barrier
; WITHOUT-COUNT-3: call void @__hostcl_report(
; WITHOUT-NOT: __hostcl_report
; WITHOUT: ret void
define spir_kernel void @some_bounds(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %n = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  store i32 1, ptr addrspace(1) %q
  %wide = sext i32 %n to i64
  %r = getelementptr i32, ptr addrspace(1) %c, i64 %wide
  store i32 1, ptr addrspace(1) %r
  ret void
}

; No group would be right: there is no copy.
; CHECK-LABEL: define spir_kernel void @never_right(
; CHECK-NOT: __hostcl_barrier
; CHECK: br i1 false
define spir_kernel void @never_right() {
  %v = alloca [4 x i32]
  %p = getelementptr i32, ptr %v, i64 4
  store i32 1, ptr %p
  ret void
}

; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A barrier with fence flags orders what comes before it: the first work-item behind it says so, and a second barrier
; keeps the others from the next one. Flags that are not known before are those that all work-items give. A barrier without
; flags orders nothing.

declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @flags(
; CHECK: %[[MINE:.*]] = or i32 %flags, -2147483648
; CHECK-NEXT: %[[OTHERS:.*]] = load i32, ptr %[[PASSED:.*]], align 4
; CHECK-NEXT: %[[ALONE:.*]] = icmp eq i32 %[[OTHERS]], 0
; CHECK-NEXT: %[[BOTH:.*]] = and i32 %[[OTHERS]], %[[MINE]]
; CHECK-NEXT: %[[JOINT:.*]] = select i1 %[[ALONE]], i32 %[[MINE]], i32 %[[BOTH]]
; CHECK-NEXT: store i32 %[[JOINT]], ptr %[[PASSED]], align 4
; CHECK-NEXT: call void @__hostcl_barrier(i32 %flags)
; CHECK-NEXT: %[[FLAGS:.*]] = load i32, ptr %[[PASSED]]
; CHECK-NEXT: %[[FIRST:.*]] = icmp ne i32 %[[FLAGS]], 0
; CHECK-NEXT: br i1 %[[FIRST]], label %[[TELL:.*]], label %[[ON:.*]]
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @__hostcl_race_barrier(ptr %group)
; CHECK-NEXT: br label %[[ON]]
; CHECK: [[ON]]:
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: ret void
define spir_kernel void @flags(ptr addrspace(1) %a, i32 %flags) {
  %x = load i32, ptr addrspace(1) %a
  call void @__hostcl_barrier(i32 %flags)
  ret void
}

; CHECK-LABEL: define spir_kernel void @without_flags(
; CHECK-NOT: race_barrier
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK-NOT: call
; CHECK: ret void
define spir_kernel void @without_flags(ptr addrspace(1) %a) {
  %x = load i32, ptr addrspace(1) %a
  call void @__hostcl_barrier(i32 0)
  ret void
}

; Where nothing is shared there is nothing to order.
; CHECK-LABEL: define spir_kernel void @nothing_shared(
; CHECK-NOT: race
; CHECK: ret void
define spir_kernel void @nothing_shared() {
  %own = alloca i32
  store i32 1, ptr %own
  call void @__hostcl_barrier(i32 1)
  ret void
}

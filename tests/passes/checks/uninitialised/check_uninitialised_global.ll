; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Global memory has its shadow 2^46 bytes away. A store is checked and counts as written, whatever it has stored.

; CHECK: c"an uninitialised value from argument 0, 'a', is stored in global memory\00"

; CHECK-LABEL: define spir_kernel void @copy(
; CHECK-DAG: %[[A:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK-DAG: %[[B:.*]] = ptrtoint ptr addrspace(1) %b to i64
; CHECK-DAG: call i64 @__hostcl_shadow_address(i64 %[[A]])
; CHECK-DAG: call i64 @__hostcl_shadow_address(i64 %[[B]])
; CHECK: %x = load i32, ptr addrspace(1) %p
; CHECK-NEXT: %[[SHADOW:.*]] = load i32, ptr addrspace(1) %
; CHECK: icmp ne i32 %[[SHADOW]], 0
; CHECK: store i32 0, ptr addrspace(1) %
; CHECK: call void @__hostcl_report(
; CHECK: store i32 %x, ptr addrspace(1) %b
define spir_kernel void @copy(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %i) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %b
  ret void
}

; Arguments are written.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @argument(ptr addrspace(1) %a, i32 %x) {
  %y = mul i32 %x, 3
  store i32 %y, ptr addrspace(1) %a
  ret void
}

; A function that stays a call keeps the shadow, and reports nothing.
; CHECK-LABEL: define void @function(
; CHECK-NOT: report
; CHECK: call i64 @__hostcl_shadow_address(
; CHECK-NOT: report
; CHECK: store i32 0, ptr addrspace(1)
; CHECK-NOT: report
; CHECK: ret void
define void @function(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = load i32, ptr addrspace(1) %a
  store i32 %x, ptr addrspace(1) %b
  ret void
}

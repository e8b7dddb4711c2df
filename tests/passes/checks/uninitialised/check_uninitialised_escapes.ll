; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Where a pointer is lost from sight, its variable counts as written, and so does all that shares pointers with it.

; CHECK-LABEL: define spir_kernel void @stored_pointer(
; CHECK-NOT: v.shadow
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @stored_pointer(ptr addrspace(1) %a) {
  %v = alloca [2 x i32]
  %list = alloca [1 x ptr]
  store ptr %v, ptr %list
  %x = load i32, ptr %v
  store i32 %x, ptr addrspace(1) %a
  ret void
}

; The number of its address would do as well; that of a check of its alignment does not.
; CHECK-LABEL: define spir_kernel void @numbers(
; CHECK-NOT: v.shadow
; CHECK: %w.shadow = alloca
; CHECK-NOT: v.shadow
; CHECK: ret void
define spir_kernel void @numbers(ptr addrspace(1) %a) {
  %v = alloca [2 x i32]
  %w = alloca [2 x i32]
  %n = ptrtoint ptr %v to i64
  store i64 %n, ptr addrspace(1) %a
  %m = ptrtoint ptr %w to i64
  %low = and i64 %m, 3
  %x = load i32, ptr %v
  %y = load i32, ptr %w
  ret void
}

; CHECK-LABEL: define spir_kernel void @mixed(
; CHECK-NOT: w.shadow
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @mixed(ptr addrspace(1) %a, i1 %c) {
  %v = alloca [2 x i32]
  %w = alloca [2 x i32]
  call void @f(ptr %v)
  %p = select i1 %c, ptr %v, ptr %w
  store i32 1, ptr %p
  %x = load i32, ptr %w
  store i32 %x, ptr addrspace(1) %a
  ret void
}
declare void @f(ptr)

; One of two that are both seen has one of the two shadows.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK: %[[SHADOW:.*]] = select i1 %c, ptr %v.shadow, ptr %w.shadow
; CHECK: store i32 0, ptr %[[SHADOW]]
define spir_kernel void @either(i1 %c) {
  %v = alloca [2 x i32]
  %w = alloca [2 x i32]
  %p = select i1 %c, ptr %v, ptr %w
  store i32 1, ptr %p
  ret void
}

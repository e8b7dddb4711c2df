; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Bounds of a quotient, of a clamped index, and of one of two: those of both together.

declare i64 @__hostcl_local_id(i32)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

; CHECK-LABEL: define spir_kernel void @quotient(
; CHECK: %[[MOST:.*]] = sub i64 %{{.*}}, 1
; CHECK: udiv i64 %[[MOST]], 3
; CHECK: body.checked:
define spir_kernel void @quotient(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %body
body:
  %third = udiv i64 %i, 3
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %third
  store i8 1, ptr addrspace(1) %p
  ret void
}

; A clamp from below leaves the upper bound, and the other way round.
; CHECK-LABEL: define spir_kernel void @from_below(
; CHECK: call i64 @llvm.smax.i64(i64 {{.*}}5
; CHECK: body.checked:
define spir_kernel void @from_below(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %body
body:
  %at = call i64 @llvm.smax.i64(i64 %n, i64 5)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %at
  store i8 1, ptr addrspace(1) %p
  ret void
}

; An unsigned minimum is a signed one for numbers that are not negative.
; CHECK-LABEL: define spir_kernel void @from_above(
; CHECK: icmp sge i64 %n, 0
; CHECK: call i64 @llvm.smin.i64(
; CHECK: body.checked:
define spir_kernel void @from_above(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %body
body:
  %at = call i64 @llvm.umin.i64(i64 %n, i64 %i)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %at
  store i8 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @either(
; CHECK: %[[LOW:.*]] = call i64 @llvm.smin.i64(
; CHECK: %[[HIGH:.*]] = call i64 @llvm.smax.i64(
; CHECK: icmp sge i64 %[[LOW]], %low
; CHECK: sub i64 %[[HIGH]], %low
; CHECK: body.checked:
define spir_kernel void @either(ptr addrspace(1) %a, i64 %n, i64 %m) {
entry:
  br label %body
body:
  %c = load volatile i1, ptr addrspace(1) %a
  %at = select i1 %c, i64 %n, i64 %m
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %at
  store i8 1, ptr addrspace(1) %p
  ret void
}

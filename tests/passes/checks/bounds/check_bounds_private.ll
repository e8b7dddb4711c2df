; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Private arrays: the range of an index proves an access, or leaves it to be checked.

; CHECK-LABEL: define spir_kernel void @in_range(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @in_range(i32 %n) {
  %v = alloca [8 x i32]
  %i = urem i32 %n, 8
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr %v, i64 %wide
  store i32 1, ptr %p
  ret void
}

; One more than there are elements.
; CHECK-LABEL: define spir_kernel void @one_too_many(
; CHECK: icmp ult i64 %position{{[0-9]*}}, 29
; CHECK: call void @__hostcl_report(
define spir_kernel void @one_too_many(i32 %n) {
  %v = alloca [8 x i32]
  %i = urem i32 %n, 9
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr %v, i64 %wide
  store i32 1, ptr %p
  ret void
}

; The same range is too large for eight bytes at the end.
; CHECK-LABEL: define spir_kernel void @wider_access(
; CHECK: icmp ult i64 %position{{[0-9]*}}, 25
; CHECK: call void @__hostcl_report(
define spir_kernel void @wider_access(i32 %n) {
  %v = alloca [8 x i32]
  %i = urem i32 %n, 8
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr %v, i64 %wide
  store i64 1, ptr %p, align 4
  ret void
}

; Negative indices are large positions.
; CHECK-LABEL: define spir_kernel void @signed(
; CHECK: call void @__hostcl_report(
define spir_kernel void @signed(i32 %n) {
  %v = alloca [8 x i32]
  %i = srem i32 %n, 8
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %v, i64 %wide
  store i32 1, ptr %p
  ret void
}

; Nothing fits into an object that is smaller than the access.
; CHECK-LABEL: define spir_kernel void @too_small(
; CHECK: br i1 false
; CHECK: call void @__hostcl_report(i64 0,
define spir_kernel void @too_small() {
  %v = alloca i16
  store i32 1, ptr %v, align 2
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; The extension of a 32-bit affine value is affine if the value cannot wrap between two lanes, and otherwise if a test
; at run time succeeds. For 8-bit values there is no such test.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %x: affine 1
; CHECK-NEXT: %wide: affine 1;
; CHECK-NEXT: %moved: affine 1
; CHECK-NEXT: %far: affine 1, if a test at run time says so
; CHECK-NEXT: %further: affine 4, if a test at run time says so
; CHECK-NEXT: %vague: varying
; CHECK-NEXT: %small.n: uniform
; CHECK-NEXT: %byte.x: affine 1
; CHECK-NEXT: %byte: affine 1
; CHECK-NEXT: %small: varying
define spir_kernel void @k(i32 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %wide = zext i32 %x to i64
  %moved = add i32 %x, %n
  %far = sext i32 %moved to i64
  %further = shl i64 %far, 2
  %vague = lshr i64 %far, 1
  %small.n = trunc i32 %n to i8
  %byte.x = trunc i64 %i to i8
  %byte = add i8 %byte.x, %small.n
  %small = zext i8 %byte to i64
  ret void
}

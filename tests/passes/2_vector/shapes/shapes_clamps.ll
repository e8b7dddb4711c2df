; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; A 32-bit index that is clamped to uniform borders is affine if a test at run time succeeds. An index of 16 bits, or
; with divergent borders, is not affine.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.umax.i32(i32, i32)
declare i16 @llvm.smin.i16(i16, i16)

; CHECK: k:
; CHECK: %c: affine 1, if a test at run time says so
; CHECK: %d: affine -1, if a test at run time says so
; CHECK: %e: varying
; CHECK: %f: varying
; CHECK: %g: uniform
define spir_kernel void @k(i64 %n, i32 %m) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %c = call i64 @llvm.smin.i64(i64 %i, i64 %n)
  %x = trunc i64 %i to i32
  %down = sub i32 %m, %x
  %d = call i32 @llvm.umax.i32(i32 5, i32 %down)
  %w = trunc i64 %i to i16
  %e = call i16 @llvm.smin.i16(i16 %w, i16 100)
  %double = shl i64 %i, 1
  %f = call i64 @llvm.smin.i64(i64 %i, i64 %double)
  %g = call i64 @llvm.smin.i64(i64 %n, i64 5)
  ret void
}

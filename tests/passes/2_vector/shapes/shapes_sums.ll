; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Sums of affine values are affine, modulo 2^bits of the type. Products are affine if one factor is a constant.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %plus: affine 1
; CHECK: %less: affine -1
; CHECK: %times: affine 12
; CHECK: %apart: affine 13
; CHECK: %gone: uniform
; CHECK: %doubled: affine 2
; CHECK: %square: varying
; CHECK: %scaled: varying
; CHECK: %high: affine 32
; CHECK: %wrapped: uniform
; CHECK: %rows: uniform
define spir_kernel void @k(i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %plus = add i64 %i, %n
  %less = sub i64 %n, %i
  %times = mul i64 %i, 12
  %apart = add i64 %times, %plus
  %gone = sub i64 %plus, %i
  %doubled = shl i64 %i, 1
  %square = mul i64 %i, %i
  %scaled = mul i64 %i, %n
  %byte = trunc i64 %i to i8
  %high = shl i8 %byte, 5
  %wrapped = mul i8 %high, 8
  %rows = mul i64 %y, %n
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Masks and shifts of ids. The first lane's id is a multiple of eight, so eight lanes differ in the low three bits only.
; An operation that drops these bits is uniform, and one that keeps them is affine.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %lane: affine 1
; CHECK: %part: varying
; CHECK: %base: uniform
; CHECK: %vector: uniform
; CHECK: %half: varying
; CHECK: %pairs: affine 2
; CHECK: %sixteen: uniform
; CHECK: %eight: varying
; CHECK: %flipped: varying
define spir_kernel void @k() {
  %i = call i64 @__hostcl_local_id(i32 0)
  %lane = and i64 %i, 7
  %part = and i64 %i, 3
  %base = and i64 %i, -8
  %vector = lshr i64 %i, 3
  %half = lshr i64 %i, 2
  %pairs = shl i64 %i, 1
  %sixteen = lshr i64 %pairs, 4
  %eight = lshr i64 %pairs, 3
  %flipped = xor i64 %i, 1
  ret void
}

; The low bits of a sum of the id and an unknown value are unknown.
; CHECK: moved:
; CHECK: %at: affine 1
; CHECK: %vector: varying
define spir_kernel void @moved(i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %at = add i64 %i, %n
  %vector = lshr i64 %at, 3
  ret void
}

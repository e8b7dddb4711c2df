; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Two affine values with the same stride are equal in all lanes or in no lane, so `icmp eq` is uniform. `icmp ult` is
; varying, because the values may wrap. A uniform select between the two values has their stride.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %equal: uniform
; CHECK: %less: varying
; CHECK: %other: varying
; CHECK: %chosen: affine 1
; CHECK: %differs: varying
; CHECK: %frozen: affine 1
; CHECK: %float: varying
define spir_kernel void @k(i64 %n, i64 %m, i1 %c) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %a = add i64 %i, %n
  %b = add i64 %i, %m
  %twice = shl i64 %i, 1
  %equal = icmp eq i64 %a, %b
  %less = icmp ult i64 %a, %b
  %other = icmp eq i64 %a, %twice
  %chosen = select i1 %c, i64 %a, i64 %b
  %differs = select i1 %less, i64 %a, i64 %b
  %frozen = freeze i64 %a
  %float = uitofp i64 %i to float
  ret void
}

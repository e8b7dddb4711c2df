; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; The sub-group's local id is affine. Results that all lanes share, such as those of reductions, are uniform; results of
; shuffles and scans are varying.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i32 @__hostcl_sub_group_lane()
declare i32 @__hostcl_sub_group_reduce_add_i32(i32)
declare i32 @__hostcl_sub_group_broadcast_i32(i32, i32)
declare i32 @__hostcl_sub_group_shuffle_i32(i32, i32)
declare i32 @__hostcl_sub_group_scan_inclusive_add_i32(i32)
declare i1 @__hostcl_sub_group_any(i1)

; CHECK: k:
; CHECK: %lane: affine 1
; CHECK: %sum: uniform
; CHECK: %first: uniform
; CHECK: %any: uniform
; CHECK: %turned: varying
; CHECK: %scan: varying
define spir_kernel void @k() {
  %lane = call i32 @__hostcl_sub_group_lane()
  %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %lane)
  %first = call i32 @__hostcl_sub_group_broadcast_i32(i32 %lane, i32 0)
  %c = icmp eq i32 %lane, 5
  %any = call i1 @__hostcl_sub_group_any(i1 %c)
  %turned = call i32 @__hostcl_sub_group_shuffle_i32(i32 %lane, i32 %lane)
  %scan = call i32 @__hostcl_sub_group_scan_inclusive_add_i32(i32 %lane)
  ret void
}

; RUN: hostclc --passes='function(single-lane)' %s | FileCheck %s
; A sub-group of one lane: an exclusive scan gives what changes nothing in the operation and type at hand, everything else
; the lane's own value; lane numbers that are asked for do not matter.

declare i8 @__hostcl_sub_group_scan_exclusive_min_i8(i8)
declare i8 @__hostcl_sub_group_scan_exclusive_umin_i8(i8)
declare i64 @__hostcl_sub_group_scan_exclusive_max_i64(i64)
declare i64 @__hostcl_sub_group_scan_exclusive_umax_i64(i64)
declare i16 @__hostcl_sub_group_scan_exclusive_mul_i16(i16)
declare i32 @__hostcl_sub_group_scan_exclusive_and_i32(i32)
declare i32 @__hostcl_sub_group_scan_exclusive_or_i32(i32)
declare i32 @__hostcl_sub_group_scan_exclusive_xor_i32(i32)
declare half @__hostcl_sub_group_scan_exclusive_add_f16(half)
declare double @__hostcl_sub_group_scan_exclusive_mul_f64(double)
declare double @__hostcl_sub_group_scan_exclusive_min_f64(double)
declare half @__hostcl_sub_group_scan_exclusive_max_f16(half)
declare double @__hostcl_sub_group_scan_inclusive_add_f64(double)
declare i16 @__hostcl_sub_group_shuffle_i16(i16, i32)
declare half @__hostcl_sub_group_broadcast_f16(half, i32)
declare i8 @__hostcl_sub_group_first_i8(i8)
declare i1 @__hostcl_sub_group_any(i1)
declare i1 @__hostcl_sub_group_all(i1)

; CHECK-LABEL: define void @integers(
; CHECK-NEXT: store volatile i8 127,
; CHECK-NEXT: store volatile i8 -1,
; CHECK-NEXT: store volatile i64 -9223372036854775808,
; CHECK-NEXT: store volatile i64 0,
; CHECK-NEXT: store volatile i16 1,
; CHECK-NEXT: store volatile i32 -1,
; CHECK-NEXT: store volatile i32 0,
; CHECK-NEXT: store volatile i32 0,
; CHECK-NEXT: ret void
define void @integers(ptr %p, i8 %a, i16 %b, i32 %c, i64 %d) {
  %1 = call i8 @__hostcl_sub_group_scan_exclusive_min_i8(i8 %a)
  store volatile i8 %1, ptr %p
  %2 = call i8 @__hostcl_sub_group_scan_exclusive_umin_i8(i8 %a)
  store volatile i8 %2, ptr %p
  %3 = call i64 @__hostcl_sub_group_scan_exclusive_max_i64(i64 %d)
  store volatile i64 %3, ptr %p
  %4 = call i64 @__hostcl_sub_group_scan_exclusive_umax_i64(i64 %d)
  store volatile i64 %4, ptr %p
  %5 = call i16 @__hostcl_sub_group_scan_exclusive_mul_i16(i16 %b)
  store volatile i16 %5, ptr %p
  %6 = call i32 @__hostcl_sub_group_scan_exclusive_and_i32(i32 %c)
  store volatile i32 %6, ptr %p
  %7 = call i32 @__hostcl_sub_group_scan_exclusive_or_i32(i32 %c)
  store volatile i32 %7, ptr %p
  %8 = call i32 @__hostcl_sub_group_scan_exclusive_xor_i32(i32 %c)
  store volatile i32 %8, ptr %p
  ret void
}

; CHECK-LABEL: define void @reals(
; CHECK-NEXT: store volatile half 0xH8000,
; CHECK-NEXT: store volatile double 1.000000e+00,
; CHECK-NEXT: store volatile double 0x7FF8000000000000,
; CHECK-NEXT: store volatile half 0xH7E00,
; CHECK-NEXT: store volatile double %b,
; CHECK-NEXT: ret void
define void @reals(ptr %p, half %a, double %b) {
  %1 = call half @__hostcl_sub_group_scan_exclusive_add_f16(half %a)
  store volatile half %1, ptr %p
  %2 = call double @__hostcl_sub_group_scan_exclusive_mul_f64(double %b)
  store volatile double %2, ptr %p
  %3 = call double @__hostcl_sub_group_scan_exclusive_min_f64(double %b)
  store volatile double %3, ptr %p
  %4 = call half @__hostcl_sub_group_scan_exclusive_max_f16(half %a)
  store volatile half %4, ptr %p
  %5 = call double @__hostcl_sub_group_scan_inclusive_add_f64(double %b)
  store volatile double %5, ptr %p
  ret void
}

; CHECK-LABEL: define void @moves(
; CHECK-NEXT: store volatile i16 %b,
; CHECK-NEXT: store volatile half %h,
; CHECK-NEXT: store volatile i8 %a,
; CHECK-NEXT: [[VOTES:%.*]] = and i1 %c, %c
; CHECK-NEXT: store volatile i1 [[VOTES]],
define void @moves(ptr %p, i8 %a, i16 %b, half %h, i1 %c, i32 %lane) {
  %1 = call i16 @__hostcl_sub_group_shuffle_i16(i16 %b, i32 %lane)
  store volatile i16 %1, ptr %p
  %2 = call half @__hostcl_sub_group_broadcast_f16(half %h, i32 7)
  store volatile half %2, ptr %p
  %3 = call i8 @__hostcl_sub_group_first_i8(i8 %a)
  store volatile i8 %3, ptr %p
  %4 = call i1 @__hostcl_sub_group_any(i1 %c)
  %5 = call i1 @__hostcl_sub_group_all(i1 %c)
  %6 = and i1 %4, %5
  store volatile i1 %6, ptr %p
  ret void
}

; RUN: hostclc --passes='function(single-lane)' %s | FileCheck %s
; Without vectorisation each work-item is a sub-group of its own.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; CHECK-LABEL: define i32 @integers(
; CHECK-NEXT: %sum = add i32 %x, 2147483647
; CHECK-NEXT: %all = add i32 %sum, %x
; CHECK-NEXT: %widths = add i32 %all, 1
; CHECK-NEXT: ret i32 %widths
define i32 @integers(i32 %x) {
  %reduced = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
  %least = call i32 @__hostcl_sub_group_scan_exclusive_min_i32(i32 %x)
  %other = call i32 @__hostcl_sub_group_shuffle_i32(i32 %x, i32 3)
  %width = call i32 @__hostcl_sub_group_width()
  %sum = add i32 %reduced, %least
  %all = add i32 %sum, %other
  %widths = add i32 %all, %width
  ret i32 %widths
}

; An exclusive scan gives what changes no other value: not the sign of zero, and not that all are NaN.
; CHECK-LABEL: define void @floats(
; CHECK-NEXT: store float 0x7FF8000000000000, ptr %p
; CHECK-NEXT: store float -0.000000e+00, ptr %p
; CHECK-NEXT: store float 1.000000e+00, ptr %p
; CHECK-NEXT: store float %x, ptr %p
define void @floats(float %x, ptr %p) {
  %least = call float @__hostcl_sub_group_scan_exclusive_min_f32(float %x)
  store float %least, ptr %p
  %sum = call float @__hostcl_sub_group_scan_exclusive_add_f32(float %x)
  store float %sum, ptr %p
  %product = call float @__hostcl_sub_group_scan_exclusive_mul_f32(float %x)
  store float %product, ptr %p
  %inclusive = call float @__hostcl_sub_group_scan_inclusive_min_f32(float %x)
  store float %inclusive, ptr %p
  ret void
}

; What docs/kernel-ir.md does not list is a function like any other.
; CHECK-LABEL: define i32 @unknown(
; CHECK-NEXT: call i32 @__hostcl_sub_group_reduce_nand_i32(i32 %x)
; CHECK-NEXT: call i32 @__hostcl_sub_group_reduce_add_f32(i32 %x)
; CHECK-NEXT: call i32 @__hostcl_sub_group_scan_add_i32(i32 %x)
define i32 @unknown(i32 %x) {
  %nand = call i32 @__hostcl_sub_group_reduce_nand_i32(i32 %x)
  %mistyped = call i32 @__hostcl_sub_group_reduce_add_f32(i32 %x)
  %incomplete = call i32 @__hostcl_sub_group_scan_add_i32(i32 %x)
  ret i32 %nand
}

; CHECK-LABEL: define <4 x i32> @ballot(
; CHECK-NEXT: %[[BIT:.*]] = zext i1 %p to i32
; CHECK-NEXT: %[[MASK:.*]] = insertelement <4 x i32> zeroinitializer, i32 %[[BIT]], i64 0
; CHECK-NEXT: ret <4 x i32> %[[MASK]]
define <4 x i32> @ballot(i1 %p) {
  %mask = call <4 x i32> @__hostcl_sub_group_ballot(i1 %p)
  ret <4 x i32> %mask
}

declare i32 @__hostcl_sub_group_reduce_add_i32(i32)
declare i32 @__hostcl_sub_group_scan_exclusive_min_i32(i32)
declare i32 @__hostcl_sub_group_shuffle_i32(i32, i32)
declare i32 @__hostcl_sub_group_width()
declare float @__hostcl_sub_group_scan_exclusive_min_f32(float)
declare float @__hostcl_sub_group_scan_exclusive_add_f32(float)
declare float @__hostcl_sub_group_scan_exclusive_mul_f32(float)
declare float @__hostcl_sub_group_scan_inclusive_min_f32(float)
declare i32 @__hostcl_sub_group_reduce_nand_i32(i32)
declare i32 @__hostcl_sub_group_reduce_add_f32(i32)
declare i32 @__hostcl_sub_group_scan_add_i32(i32)
declare <4 x i32> @__hostcl_sub_group_ballot(i1)

; Sub-group operations over the active lanes.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare i32 @__hostcl_sub_group_lane() memory(none)
declare i32 @__hostcl_sub_group_reduce_add_i32(i32) convergent memory(none)
declare i32 @__hostcl_sub_group_shuffle_i32(i32, i32) convergent memory(none)
declare <4 x i32> @__hostcl_sub_group_ballot(i1) convergent memory(none)

; CHECK-LABEL: @operations
; CHECK: %[[ACTIVE:.*]] = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> zeroinitializer
; CHECK: shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK: %[[SET:.*]] = select <4 x i1> %mask, <4 x i1> %odd, <4 x i1> zeroinitializer
; CHECK: bitcast <4 x i1> %[[SET]] to i4
; CHECK-NOT: call {{.*}}sub_group
; CHECK: ret void
define spir_kernel void @operations(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
  %lane = call i32 @__hostcl_sub_group_lane()
  %other = xor i32 %lane, 1
  %y = call i32 @__hostcl_sub_group_shuffle_i32(i32 %x, i32 %other)
  %odd = trunc i32 %x to i1
  %bits = call <4 x i32> @__hostcl_sub_group_ballot(i1 %odd)
  %word = extractelement <4 x i32> %bits, i32 0
  %z = add i32 %sum, %y
  %w = add i32 %z, %word
  store i32 %w, ptr addrspace(1) %p
  ret void
}

declare float @__hostcl_sub_group_reduce_add_f32(float) convergent memory(none)
declare float @__hostcl_sub_group_reduce_min_f32(float) convergent memory(none)
declare float @__hostcl_sub_group_scan_exclusive_add_f32(float) convergent memory(none)
declare i32 @__hostcl_sub_group_reduce_nand_i32(i32) convergent

; Lanes without a work-item have what changes no other value.
; CHECK-LABEL: @neutral
; CHECK: select <4 x i1> %mask, <4 x float> %x, <4 x float> splat (float -0.000000e+00)
; CHECK: select <4 x i1> %mask, <4 x float> %x, <4 x float> splat (float 0x7FF8000000000000)
; CHECK: %[[ACTIVE:.*]] = select <4 x i1> %mask, <4 x float> %x, <4 x float> splat (float -0.000000e+00)
; CHECK: shufflevector <4 x float> %[[ACTIVE]], <4 x float> splat (float -0.000000e+00), <4 x i32> <i32 4, i32 0, i32 1, i32 2>
define spir_kernel void @neutral(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %sum = call float @__hostcl_sub_group_reduce_add_f32(float %x)
  %least = call float @__hostcl_sub_group_reduce_min_f32(float %x)
  %before = call float @__hostcl_sub_group_scan_exclusive_add_f32(float %x)
  %y = fadd float %sum, %least
  %z = fadd float %y, %before
  store float %z, ptr addrspace(1) %p
  ret void
}

; An unknown name is a function like any other, which is called for each lane.
; CHECK-LABEL: @unknown
; CHECK: lane:
; CHECK: call i32 @__hostcl_sub_group_reduce_nand_i32(
define spir_kernel void @unknown(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @__hostcl_sub_group_reduce_nand_i32(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; Sub-group operations over the active lanes.
; RUN: hostclc --passes=vectorise-4 %s | FileCheck %s

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

; A call becomes an intrinsic on vectors, a call of a function that takes all lanes, one call, or one call for each
; lane. Hints to LLVM are dropped.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;no-pipe_lanes;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=ONE-BY-ONE

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare float @llvm.sqrt.f32(float)
declare float @llvm.powi.f32.i32(float, i32)
declare void @llvm.assume(i1)
declare float @opaque(float)
declare i64 @__hostcl_pipe_reserve_read(ptr addrspace(1), i32)
declare i32 @__hostcl_sub_group_reduce_add_i32(i32) convergent memory(none)
declare i32 @__hostcl_sub_group_lane() memory(none)
declare void @__hostcl_trap(i64, i64, i64, ptr addrspace(1), i64, i64, i64, i64)

; CHECK: plan of 'calls
; CHECK: WIDEN-INTRINSIC   %root = call float @llvm.sqrt.f32(float %x)
; CHECK: WIDEN-INTRINSIC   %square = call float @llvm.powi.f32.i32(float %x, i32 2)
; CHECK: REPLICATE         %power = call float @llvm.powi.f32.i32(float %x, i32 %n)
; CHECK: DROP              call void @llvm.assume(i1 %positive)
; CHECK: REPLICATE         %y = call float @opaque(float %root)
; CHECK: WIDEN-CALL        %reservation = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %a, i32 %n)
; CHECK: REPLICATE         %each = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %p, i32 %n)
; CHECK: SUB-GROUP         %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %n)
; CHECK: SUB-GROUP         %lane = call i32 @__hostcl_sub_group_lane()
; CHECK: FIRST-LANE        call void @__hostcl_trap(
; ONE-BY-ONE: REPLICATE         %reservation = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %a, i32 %n)
define spir_kernel void @calls(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %n = fptosi float %x to i32
  %root = call float @llvm.sqrt.f32(float %x)
  %square = call float @llvm.powi.f32.i32(float %x, i32 2)
  %power = call float @llvm.powi.f32.i32(float %x, i32 %n)
  %positive = fcmp ogt float %x, 0.0
  call void @llvm.assume(i1 %positive)
  %y = call float @opaque(float %root)
  %reservation = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %a, i32 %n)
  %each = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %p, i32 %n)
  %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %n)
  %lane = call i32 @__hostcl_sub_group_lane()
  call void @__hostcl_trap(i64 %i, i64 0, i64 0, ptr addrspace(1) null, i64 0, i64 0, i64 0, i64 0)
  store float %power, ptr addrspace(1) %p
  ret void
}

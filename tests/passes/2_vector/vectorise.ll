; One call computes four work-items: contiguous accesses, masked by the lanes that are work-items.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @scale
; CHECK: %[[MASK:.*]] = call <4 x i1> @__hostcl_lane_mask()
; CHECK: %i = call i64 @__hostcl_local_id(i32 0)
; CHECK: %p = getelementptr float, ptr addrspace(1) %a, i64 %i
; CHECK: %[[X:.*]] = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %p, <4 x i1> %[[MASK]], <4 x float> poison)
; CHECK: %[[Y:.*]] = fmul <4 x float> %[[X]], splat (float 2.000000e+00)
; CHECK: call void @llvm.masked.store.v4f32.p1(<4 x float> %[[Y]], ptr addrspace(1) align 4 %p, <4 x i1> %[[MASK]])
; CHECK: "hostcl.width"="4"
define spir_kernel void @scale(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %p
  ret void
}

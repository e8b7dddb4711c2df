; What has a vector form is widened; anything else runs once for each active lane.
; RUN: hostclc --passes=vectorise-4 %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare float @llvm.sqrt.f32(float)
declare float @opaque(float)

; CHECK-LABEL: @calls
; CHECK: %[[ROOT:.*]] = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %x)
; CHECK: lane:
; CHECK: %[[LEFT:.*]] = phi i32
; CHECK: %[[LANE:.*]] = call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK: %[[ONE:.*]] = extractelement <4 x float> %[[ROOT]], i32 %[[LANE]]
; CHECK: %[[R:.*]] = call float @opaque(float %[[ONE]])
; CHECK: insertelement <4 x float> %{{.*}}, float %[[R]], i32 %[[LANE]]
define spir_kernel void @calls(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = call float @llvm.sqrt.f32(float %x)
  %z = call float @opaque(float %y)
  store float %z, ptr addrspace(1) %p
  ret void
}

; What has a vector form is widened; anything else runs once for each active lane.
; RUN: hostclc --passes=vectorise-4 %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare float @llvm.sqrt.f32(float)
declare float @opaque(float)
declare double @__hostcl_of_huge_angle(double, i32) memory(none)

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

; The driver's function has a form for many numbers. It is not called where no lane needs it.
; CHECK-LABEL: @huge_angles
; CHECK: icmp ne i4
; CHECK: br i1 %{{.*}}, label %huge, label %skip
; CHECK: store <4 x double> %x, ptr %[[ARGUMENTS:.*]],
; CHECK: call void @__hostcl_of_huge_angles(ptr %[[ARGUMENTS]], ptr %[[RESULTS:.*]], i32 4, i32 2)
; CHECK: load <4 x double>, ptr %[[RESULTS]]
define spir_kernel void @huge_angles(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %is_huge = fcmp ogt double %x, 1.0e+10
  br i1 %is_huge, label %huge, label %end
huge:
  %y = call double @__hostcl_of_huge_angle(double %x, i32 2)
  br label %end
end:
  %z = phi double [ %y, %huge ], [ %x, %0 ]
  store double %z, ptr addrspace(1) %p
  ret void
}

; What keeps fast maths apart is for all lanes at once.
; CHECK-LABEL: @fences
; CHECK: call fast <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float>
define spir_kernel void @fences(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %address = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %address
  %y = call fast float @llvm.arithmetic.fence.f32(float %x)
  store float %y, ptr addrspace(1) %address
  ret void
}

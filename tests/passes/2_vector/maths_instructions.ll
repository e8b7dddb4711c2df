; Steps of mathematical functions are one call for all lanes, of short vectors too; a table stays one pointer.
; RUN: hostclc --passes='vectorise<width=8>' %s | FileCheck %s

@table = internal addrspace(2) constant [8 x double] zeroinitializer

declare float @__hostcl_maths_scale.f32(float, float) memory(none) nounwind willreturn speculatable
declare double @__hostcl_maths_entry.f64(i64, ptr addrspace(2), i32) memory(none) nounwind willreturn speculatable
declare <4 x float> @__hostcl_maths_exponent.v4f32(<4 x float>) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable

; CHECK-LABEL: @scale
; CHECK: call <8 x float> @__hostcl_maths_scale.v8f32(<8 x float> %{{.*}}, <8 x float> %{{.*}})
define spir_kernel void @scale(ptr addrspace(1) %p, float %n) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %x = load float, ptr addrspace(1) %at
  %y = call float @__hostcl_maths_scale.f32(float %x, float %n)
  store float %y, ptr addrspace(1) %at
  ret void
}

; A call of uniform arguments is one call for one lane.
; CHECK-LABEL: @uniform
; CHECK: call float @__hostcl_maths_scale.f32(float %n, float %n)
define spir_kernel void @uniform(ptr addrspace(1) %p, float %n) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %id
  %y = call float @__hostcl_maths_scale.f32(float %n, float %n)
  store float %y, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: @entry
; CHECK: call <8 x double> @__hostcl_maths_entry.v8f64(<8 x i64> %{{.*}}, ptr addrspace(2) @table, i32 8)
define spir_kernel void @entry(ptr addrspace(1) %p) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr double, ptr addrspace(1) %p, i64 %id
  %i = load i64, ptr addrspace(1) %at
  %y = call double @__hostcl_maths_entry.f64(i64 %i, ptr addrspace(2) @table, i32 8)
  store double %y, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: @short_vectors
; CHECK: call <32 x float> @__hostcl_maths_exponent.v32f32(<32 x float> %{{.*}})
define spir_kernel void @short_vectors(ptr addrspace(1) %p) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %id
  %x = load <4 x float>, ptr addrspace(1) %at
  %y = call <4 x float> @__hostcl_maths_exponent.v4f32(<4 x float> %x)
  store <4 x float> %y, ptr addrspace(1) %at
  ret void
}

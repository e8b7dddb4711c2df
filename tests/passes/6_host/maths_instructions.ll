; Steps of mathematical functions become instructions of AVX-512, for vectors of any width.
; RUN: hostclc --passes='function(maths-instructions)' %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

@table = internal addrspace(2) constant [16 x double] [double 0.0, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0, double 13.0, double 14.0, double 15.0]
@long_table = internal addrspace(2) constant [32 x double] zeroinitializer

declare float @__hostcl_maths_exponent.f32(float)
declare <3 x double> @__hostcl_maths_significand.v3f64(<3 x double>)
declare <16 x float> @__hostcl_maths_scale.v16f32(<16 x float>, <16 x float>)
declare <8 x float> @__hostcl_maths_reciprocal.v8f32(<8 x float>)
declare <16 x double> @__hostcl_maths_rsqrt.v16f64(<16 x double>)
declare <8 x double> @__hostcl_maths_entry.v8f64(<8 x i64>, ptr addrspace(2), i32)
declare double @__hostcl_maths_entry.f64(i64, ptr addrspace(2), i32)

; A scalar is an element of the smallest register.
; CHECK-LABEL: @scalar
; CHECK: %[[IN:[0-9]+]] = insertelement <4 x float> poison, float %x, i64 0
; CHECK: %[[OUT:[0-9]+]] = call <4 x float> @llvm.x86.avx512.mask.getexp.ps.128(<4 x float> %[[IN]], <4 x float> poison, i8 -1)
; CHECK: extractelement <4 x float> %[[OUT]], i64 0
define float @scalar(float %x) #0 {
  %r = call float @__hostcl_maths_exponent.f32(float %x)
  ret float %r
}

; CHECK-LABEL: @padded
; CHECK: shufflevector <3 x double> %x, <3 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
; CHECK: @llvm.x86.avx512.mask.getmant.pd.256(<4 x double> %{{.*}}, i32 15, <4 x double> poison, i8 -1)
; CHECK: shufflevector <4 x double> %{{.*}}, <3 x i32> <i32 0, i32 1, i32 2>
define <3 x double> @padded(<3 x double> %x) #0 {
  %r = call <3 x double> @__hostcl_maths_significand.v3f64(<3 x double> %x)
  ret <3 x double> %r
}

; CHECK-LABEL: @whole
; CHECK-NEXT: %[[R:[0-9]+]] = call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %x, <16 x float> %n, <16 x float> poison, i16 -1, i32 4)
; CHECK-NEXT: ret <16 x float> %[[R]]
define <16 x float> @whole(<16 x float> %x, <16 x float> %n) #0 {
  %r = call <16 x float> @__hostcl_maths_scale.v16f32(<16 x float> %x, <16 x float> %n)
  ret <16 x float> %r
}

; The width that the CPU prefers limits registers.
; CHECK-LABEL: @split
; CHECK-COUNT-2: @llvm.x86.avx512.mask.scalef.ps.256(
; CHECK: shufflevector
define <16 x float> @split(<16 x float> %x, <16 x float> %n) #1 {
  %r = call <16 x float> @__hostcl_maths_scale.v16f32(<16 x float> %x, <16 x float> %n)
  ret <16 x float> %r
}

; CHECK-LABEL: @estimates
; CHECK: @llvm.x86.avx512.rcp14.ps.256(<8 x float> %x, <8 x float> poison, i8 -1)
; CHECK-COUNT-2: @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %{{.*}}, <8 x double> poison, i8 -1)
define <16 x double> @estimates(<8 x float> %x, ptr %p, <16 x double> %y) #0 {
  %r = call <8 x float> @__hostcl_maths_reciprocal.v8f32(<8 x float> %x)
  store <8 x float> %r, ptr %p
  %s = call <16 x double> @__hostcl_maths_rsqrt.v16f64(<16 x double> %y)
  ret <16 x double> %s
}

; Two registers are looked up at once.
; CHECK-LABEL: @entries
; CHECK-NEXT: %[[R:[0-9]+]] = call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double> <double 0.000000e+00, {{.*}} double 7.000000e+00>, <8 x i64> %i, <8 x double> <double 8.000000e+00,
; CHECK-NEXT: ret <8 x double> %[[R]]
define <8 x double> @entries(<8 x i64> %i) #0 {
  %r = call <8 x double> @__hostcl_maths_entry.v8f64(<8 x i64> %i, ptr addrspace(2) @table, i32 16)
  ret <8 x double> %r
}

; CHECK-LABEL: @many_entries
; CHECK-COUNT-2: @llvm.x86.avx512.vpermi2var.pd.512(
; CHECK: and <8 x i64> %i, splat (i64 16)
; CHECK: select <8 x i1>
define <8 x double> @many_entries(<8 x i64> %i) #0 {
  %r = call <8 x double> @__hostcl_maths_entry.v8f64(<8 x i64> %i, ptr addrspace(2) @long_table, i32 32)
  ret <8 x double> %r
}

; CHECK-LABEL: @one_entry
; CHECK: and i64 %{{.*}}, 15
; CHECK: load double, ptr addrspace(2)
define double @one_entry(i64 %i) #0 {
  %r = call double @__hostcl_maths_entry.f64(i64 %i, ptr addrspace(2) @table, i32 16)
  ret double %r
}

attributes #0 = { "prefer-vector-width"="512" }
attributes #1 = { "prefer-vector-width"="256" }

; Fast divisions of float vectors by the CPU's estimate give 0 and infinity, not NaN, for divisors that are infinite or
; 0.
; RUN: hostclc --passes='function(estimated-divisions)' %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)

; CHECK-LABEL: @reciprocal
; CHECK: %[[Y:[0-9]+]] = call <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float> %d, <16 x float> poison, i16 -1)
; CHECK: %[[N:[0-9]+]] = fneg <16 x float> %d
; CHECK: %[[E:[0-9]+]] = call {{.*}} @llvm.fmuladd.v16f32({{.*}} %[[N]], {{.*}} %[[Y]], {{.*}} splat (float 1.0
; CHECK: %[[C:[0-9]+]] = fcmp olt <16 x float> %[[E]], splat
; CHECK: %[[R:[0-9]+]] = select <16 x i1> %[[C]], <16 x float> %[[E]], <16 x float> splat
; CHECK: %[[Q:[0-9]+]] = call {{.*}} @llvm.fmuladd.v16f32({{.*}} %[[Y]], {{.*}} %[[R]], {{.*}} %[[Y]])
; CHECK: ret <16 x float> %[[Q]]
define <16 x float> @reciprocal(<16 x float> %d) #0 {
  %q = fdiv fast <16 x float> splat (float 1.0), %d
  ret <16 x float> %q
}

; CHECK-LABEL: @short
; CHECK: shufflevector <3 x float> %d, <3 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 poison,
; CHECK: shufflevector <16 x float> %{{.*}}, <3 x i32> <i32 0, i32 1, i32 2>
; CHECK: %[[Q:[0-9]+]] = fmul contract <3 x float> %n, %{{.*}}
; CHECK: ret <3 x float> %[[Q]]
define <3 x float> @short(<3 x float> %n, <3 x float> %d) #0 {
  %q = fdiv arcp ninf <3 x float> %n, %d
  ret <3 x float> %q
}

; CHECK-LABEL: @long
; CHECK-COUNT-2: @llvm.x86.avx512.rcp14.ps.512
; CHECK-NOT: rcp14
; CHECK: ret
define <24 x float> @long(<24 x float> %d) #0 {
  %q = fdiv fast <24 x float> splat (float 1.0), %d
  ret <24 x float> %q
}

; LLVM does not estimate the quotients of these divisions. For the division by a square root, LLVM estimates the
; reciprocal of the root instead.
; CHECK-LABEL: @unchanged
; CHECK: fdiv arcp <16 x float>
; CHECK: fdiv ninf <16 x float>
; CHECK: fdiv fast float
; CHECK: fdiv fast <8 x double>
; CHECK: fdiv fast <16 x float>
; CHECK-NOT: rcp14
; CHECK: ret
define <16 x float> @unchanged(<16 x float> %n, <16 x float> %d, ptr %p, float %s, <8 x double> %w) #0 {
  %a = fdiv arcp <16 x float> %n, %d
  %b = fdiv ninf <16 x float> %n, %a
  %c = fdiv fast float 1.0, %s
  store float %c, ptr %p
  %e = fdiv fast <8 x double> splat (double 1.0), %w
  store <8 x double> %e, ptr %p
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %b)
  %f = fdiv fast <16 x float> splat (float 1.0), %root
  ret <16 x float> %f
}

; CHECK-LABEL: @of_half
; CHECK: fdiv reassoc nnan nsz arcp contract afn <16 x half>
define <16 x half> @of_half(<16 x half> %n, <16 x half> %d) #0 {
  %q = fdiv fast <16 x half> %n, %d
  ret <16 x half> %q
}

; CHECK-LABEL: @without_avx512
; CHECK: fdiv reassoc nnan nsz arcp contract afn <8 x float>
define <8 x float> @without_avx512(<8 x float> %n, <8 x float> %d) {
  %q = fdiv fast <8 x float> %n, %d
  ret <8 x float> %q
}

attributes #0 = { "prefer-vector-width"="512" }

; RUN: hostclc --passes='function(promote-half)' %s | FileCheck %s
; Only what gives the same result in float goes there, with its flags; arithmetic that would be rounded twice, other types
; and operations that look at the sign of a zero or keep NaN apart stay in half.

; CHECK-LABEL: define half @flags(
; CHECK: [[X:%.*]] = fpext nnan half %x to float
; CHECK: [[Y:%.*]] = fpext nnan half %y to float
; CHECK: [[R:%.*]] = call nnan float @llvm.minnum.f32(float [[X]], float [[Y]])
; CHECK: fptrunc nnan float [[R]] to half
define half @flags(half %x, half %y) {
  %r = call nnan half @llvm.minnum.f16(half %x, half %y)
  ret half %r
}

; CHECK-LABEL: define <3 x half> @three(
; CHECK: call <3 x float> @llvm.round.v3f32
; CHECK: call <3 x float> @llvm.rint.v3f32
; CHECK: call <3 x float> @llvm.trunc.v3f32
; CHECK: fptrunc <3 x float> %{{.*}} to <3 x half>
define <3 x half> @three(<3 x half> %x) {
  %a = call <3 x half> @llvm.round.v3f16(<3 x half> %x)
  %b = call <3 x half> @llvm.rint.v3f16(<3 x half> %a)
  %c = call <3 x half> @llvm.trunc.v3f16(<3 x half> %b)
  ret <3 x half> %c
}

; fma has one rounding, from the exact sum: float's would be a second one.
; CHECK-LABEL: define half @exact(
; CHECK-NOT: fpext
; CHECK: call half @llvm.fma.f16
; CHECK: fmul half
; CHECK: call half @llvm.sqrt.f16
; CHECK: call half @llvm.copysign.f16
; CHECK: call half @llvm.minimum.f16
define half @exact(half %x, half %y) {
  %a = call half @llvm.fma.f16(half %x, half %y, half %x)
  %b = fmul half %a, %y
  %c = call half @llvm.sqrt.f16(half %b)
  %d = call half @llvm.copysign.f16(half %c, half %y)
  %e = call half @llvm.minimum.f16(half %d, half %y)
  ret half %e
}

; CHECK-LABEL: define double @others(
; CHECK-NOT: fpext
; CHECK: call float @llvm.floor.f32
; CHECK: call double @llvm.ceil.f64
; CHECK: call bfloat @llvm.maxnum.bf16
define double @others(float %x, double %y, bfloat %z, ptr %p) {
  %a = call float @llvm.floor.f32(float %x)
  store float %a, ptr %p
  %b = call double @llvm.ceil.f64(double %y)
  %c = call bfloat @llvm.maxnum.bf16(bfloat %z, bfloat %z)
  store bfloat %c, ptr %p
  ret double %b
}

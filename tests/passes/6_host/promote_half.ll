; What LLVM would split into lanes on CPUs without half arithmetic is done in float.
; RUN: hostclc --passes='function(promote-half)' %s | FileCheck %s
; RUN: hostclc --passes='function(promote-half<no-promote_half>)' %s | FileCheck %s --check-prefix=WITHOUT

; CHECK-LABEL: @rounding
; CHECK: %[[WIDE:[0-9]+]] = fpext <16 x half> %x to <16 x float>
; CHECK: %[[FLOOR:[0-9]+]] = call <16 x float> @llvm.floor.v16f32(<16 x float> %[[WIDE]])
; CHECK: fptrunc <16 x float> %[[FLOOR]] to <16 x half>
; WITHOUT-LABEL: @rounding
; WITHOUT-NEXT: %r = call <16 x half> @llvm.floor.v16f16(<16 x half> %x)
define <16 x half> @rounding(<16 x half> %x) {
  %r = call <16 x half> @llvm.floor.v16f16(<16 x half> %x)
  ret <16 x half> %r
}

; CHECK-LABEL: @smaller
; CHECK: call float @llvm.minnum.f32(float
; CHECK-NOT: half @llvm
define half @smaller(half %x, half %y) {
  %r = call half @llvm.minnum.f16(half %x, half %y)
  ret half %r
}

; CHECK-LABEL: @product_and_sum
; CHECK: %[[SUM:[0-9]+]] = call <8 x float> @llvm.fmuladd.v8f32(
; CHECK: fptrunc <8 x float> %[[SUM]] to <8 x half>
define <8 x half> @product_and_sum(<8 x half> %x, <8 x half> %y, <8 x half> %z) {
  %r = call <8 x half> @llvm.fmuladd.v8f16(<8 x half> %x, <8 x half> %y, <8 x half> %z)
  ret <8 x half> %r
}

; Sums would be rounded twice.
; CHECK-LABEL: @sum
; CHECK: call float @llvm.floor.f32(float %x)
; CHECK: fadd half
define half @sum(half %a, float %x) {
  %f = call float @llvm.floor.f32(float %x)
  %h = fptrunc float %f to half
  %r = fadd half %a, %h
  ret half %r
}

; Results that do not depend on the CPU: fmuladd, minnum and maxnum become operations that are the same on all CPUs, and
; nothing permits rewriting.
; RUN: hostclc --passes='same-bits' %s | FileCheck %s

; CHECK-LABEL: define float @products(float %x, float %y, float %z)
; CHECK-NEXT: %[[P:.*]] = fmul float %x, %y
; CHECK-NEXT: %[[S:.*]] = fadd float %[[P]], %z
; CHECK-NEXT: %[[F:.*]] = call float @llvm.fma.f32(float %[[S]], float %y, float %z)
; CHECK-NEXT: %[[D:.*]] = fdiv float %[[F]], %x
; CHECK-NEXT: ret float %[[D]]
define float @products(float nofpclass(nan inf) %x, float %y, float %z) "no-nans-fp-math"="true" {
  %s = call fast float @llvm.fmuladd.f32(float %x, float %y, float %z)
  %f = call contract float @llvm.fma.f32(float %s, float %y, float %z)
  %d = fdiv fast float %f, %x
  ret float %d
}

; The first of two zeros; the other operand of NaN.
; CHECK-LABEL: define <4 x double> @extremes(
; CHECK-NEXT: %[[BELOW:.*]] = fcmp olt <4 x double> %y, %x
; CHECK-NEXT: %[[LESS:.*]] = select <4 x i1> %[[BELOW]], <4 x double> %y, <4 x double> %x
; CHECK-NEXT: %[[NAN:.*]] = fcmp uno <4 x double> %x, %x
; CHECK-NEXT: %[[LOW:.*]] = select <4 x i1> %[[NAN]], <4 x double> %y, <4 x double> %[[LESS]]
; CHECK-NEXT: fcmp ogt <4 x double> %y, %[[LOW]]
; CHECK-NOT: num
define <4 x double> @extremes(<4 x double> %x, <4 x double> %y) {
  %low = call <4 x double> @llvm.minnum.v4f64(<4 x double> %x, <4 x double> %y)
  %high = call nnan <4 x double> @llvm.maxnum.v4f64(<4 x double> %low, <4 x double> %y)
  ret <4 x double> %high
}

; Operands are not summed up before they are added to memory; integers may be.
; CHECK-LABEL: define void @updates(
; CHECK-NEXT: atomicrmw fadd ptr addrspace(1) %p, float %x monotonic, align 4, !hostcl.serial
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4{{$}}
define void @updates(ptr addrspace(1) %p, float %x) {
  %a = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}

; Subnormal numbers are not flushed. Other flags stay.
; CHECK: !llvm.module.flags = !{![[FLAG:[0-9]+]]}
; CHECK: ![[FLAG]] = !{i32 7, !"hostcl.relaxed_math", i32 1}
!llvm.module.flags = !{!0, !1}
!0 = !{i32 7, !"hostcl.flush_denormals", i32 1}
!1 = !{i32 7, !"hostcl.relaxed_math", i32 1}

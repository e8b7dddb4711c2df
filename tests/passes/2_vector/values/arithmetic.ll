; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; Arithmetic of all lanes keeps its fast-math flags; flags that make poison are gone where a lane may not be active. What is
; the same for all lanes is computed once.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @flags
; CHECK: %s = fadd reassoc nnan <4 x float> %x, %x
; CHECK: %m = fmul contract <4 x float> %s, %{{.*}}
; CHECK: %n = fneg <4 x float> %m
define spir_kernel void @flags(ptr addrspace(1) %a, float %f) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %s = fadd reassoc nnan float %x, %x
  %m = fmul contract float %s, %f
  %n = fneg float %m
  store float %n, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @once
; CHECK: %u = fmul float %f, %f
; CHECK-NOT: fmul
; CHECK: %[[ALL:.*]] = insertelement <4 x float> poison, float %u, i64 0
; CHECK: ret void
define spir_kernel void @once(ptr addrspace(1) %a, float %f) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %u = fmul float %f, %f
  %s = fadd float %x, %u
  store float %s, ptr addrspace(1) %p
  ret void
}

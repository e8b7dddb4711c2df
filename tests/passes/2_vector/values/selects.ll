; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; A choice by a condition of the lanes' own is one vector select, of whole short vectors as well; by one of all lanes it keeps
; its scalar condition.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @own_condition
; CHECK: %c = fcmp olt <4 x float> %x, zeroinitializer
; CHECK: select <4 x i1> %c, <4 x float> zeroinitializer, <4 x float> %x
define spir_kernel void @own_condition(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %c = fcmp olt float %x, 0.0
  %y = select i1 %c, float 0.0, float %x
  store float %y, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @one_condition
; CHECK: select i1 %c, <4 x float> %{{.*}}, <4 x float> %x
define spir_kernel void @one_condition(ptr addrspace(1) %a, i1 %c, float %f) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = select i1 %c, float %f, float %x
  store float %y, ptr addrspace(1) %p
  ret void
}

; Each lane's condition stands for both elements of its vector.
; CHECK-LABEL: @short_vectors
; CHECK: %[[PAIRS:.*]] = shufflevector <4 x i1> %c, <4 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: select <8 x i1> %[[PAIRS]], <8 x i64>
define spir_kernel void @short_vectors(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %n = load i32, ptr addrspace(1) %q
  %c = icmp eq i32 %n, 0
  %p = getelementptr <2 x i64>, ptr addrspace(1) %a, i64 %i
  %x = load <2 x i64>, ptr addrspace(1) %p, align 16
  %y = select i1 %c, <2 x i64> zeroinitializer, <2 x i64> %x
  store <2 x i64> %y, ptr addrspace(1) %p, align 16
  ret void
}

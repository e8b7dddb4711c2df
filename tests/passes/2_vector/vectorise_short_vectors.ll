; Short vectors are lane-major: consecutive float2 are one access, elements are moved by shuffles.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @whole
; CHECK: %[[MASK:.*]] = shufflevector <4 x i1> %mask, <4 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: %v = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) align 8 %p, <8 x i1> %[[MASK]]
; CHECK: %w = shufflevector <8 x float> %v, <8 x float> {{.*}}, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
; CHECK: fadd <8 x float> %v, %w
; CHECK: call void @llvm.masked.store.v8f32.p1
define spir_kernel void @whole(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %i
  %v = load <2 x float>, ptr addrspace(1) %p
  %w = shufflevector <2 x float> %v, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %z = fadd <2 x float> %v, %w
  store <2 x float> %z, ptr addrspace(1) %p
  ret void
}

; Elements that go separate ways are values of their own.
; CHECK-LABEL: @apart
; CHECK: %v = call <8 x float> @llvm.masked.load
; CHECK: %[[X:.*]] = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK: %[[Y:.*]] = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: fadd <4 x float>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
; CHECK: call void @llvm.masked.store.v8f32.p1
define spir_kernel void @apart(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %i
  %v = load <2 x float>, ptr addrspace(1) %p
  %x = extractelement <2 x float> %v, i32 0
  %y = extractelement <2 x float> %v, i32 1
  %sum = fadd float %x, %y
  %w = insertelement <2 x float> poison, float %sum, i32 0
  %z = insertelement <2 x float> %w, float %x, i32 1
  store <2 x float> %z, ptr addrspace(1) %p
  ret void
}

; The element that a lane chooses; one that the vector does not have is poison, not another's.
; CHECK-LABEL: @chosen
; CHECK: %[[X:.*]] = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK: %[[Y:.*]] = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: %[[SECOND:.*]] = icmp eq <4 x i32> %{{.*}}, splat (i32 1)
; CHECK: select <4 x i1> %[[SECOND]], <4 x float> %[[Y]], <4 x float> %[[X]]
define spir_kernel void @chosen(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %i
  %v = load <2 x float>, ptr addrspace(1) %p
  %x = trunc i64 %i to i32
  %n = and i32 %x, 1
  %chosen = extractelement <2 x float> %v, i32 %n
  %none = extractelement <2 x float> %v, i32 2
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %chosen, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %q, i64 1024
  store float %none, ptr addrspace(1) %r
  ret void
}

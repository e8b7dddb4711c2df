; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Vectors of more than 16 elements are cooperative matrices: they are uniform, because the pointers of their accesses
; are those of the first active lane, and they stay whole, although more instructions move elements than access memory.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1)) convergent
declare <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float>, <64 x float>, i32, i32, i32)

; CHECK-LABEL: define spir_kernel void @first_lane
; CHECK: %[[P:.*]] = extractelement <4 x ptr addrspace(1)> %{{.*}}, i32 %
; CHECK: %[[A:.*]] = load <64 x float>, ptr addrspace(1) %[[P]]
; CHECK: %[[B:.*]] = call <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float> %[[A]], <64 x float> %[[A]], i32 8, i32 8, i32 8)
; CHECK: %[[D:.*]] = fadd <64 x float> %[[B]], %{{.*}}
; CHECK: store <64 x float> %[[D]], ptr addrspace(1) %[[P]]
; CHECK-NOT: store
define spir_kernel void @first_lane(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %varying = load i64, ptr addrspace(1) %a
  %twice = mul i64 %x, %x
  %i = add i64 %varying, %twice
  %own = getelementptr [64 x float], ptr addrspace(1) %a, i64 %i
  %p = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %own)
  %m = load <64 x float>, ptr addrspace(1) %p
  %square = call <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float> %m, <64 x float> %m, i32 8, i32 8, i32 8)
  %e = extractelement <64 x float> %square, i32 0
  %s1 = insertelement <64 x float> %square, float %e, i32 1
  %s2 = insertelement <64 x float> %s1, float %e, i32 2
  %s3 = insertelement <64 x float> %s2, float %e, i32 3
  %sum = fadd <64 x float> %square, %s3
  store <64 x float> %sum, ptr addrspace(1) %p
  ret void
}

; The pointer is the same for all lanes.
; CHECK-LABEL: define spir_kernel void @uniform
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(1) %a, i64 64
; CHECK-NOT: extractelement
; CHECK: load <64 x float>, ptr addrspace(1) %[[P]]
define spir_kernel void @uniform(ptr addrspace(1) %a) {
  %own = getelementptr i8, ptr addrspace(1) %a, i64 64
  %p = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %own)
  %m = load <64 x float>, ptr addrspace(1) %p
  store <64 x float> %m, ptr addrspace(1) %a
  ret void
}

; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Cooperative matrices are uniform, because the pointers of their accesses are those of the first active lane. They stay
; whole, although more instructions move elements than access memory. Other vectors of such lengths are split.

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

; Without such a pointer, the vector is no matrix: each element becomes a vector of lanes.
; CHECK-LABEL: define spir_kernel void @no_matrix
; CHECK-NOT: <32 x float>
; CHECK: fadd <4 x float>
; CHECK-NOT: <32 x float>
; CHECK: ret void
define spir_kernel void @no_matrix(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %own = getelementptr float, ptr addrspace(1) %a, i64 %x
  %f = load float, ptr addrspace(1) %own
  %v0 = insertelement <32 x float> zeroinitializer, float %f, i32 0
  %v1 = insertelement <32 x float> %v0, float 1.0, i32 1
  %sum = fadd <32 x float> %v1, %v0
  %e0 = extractelement <32 x float> %sum, i32 0
  %e1 = extractelement <32 x float> %sum, i32 1
  %both = fadd float %e0, %e1
  store float %both, ptr addrspace(1) %own
  ret void
}

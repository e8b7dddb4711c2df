; RUN: hostclc --passes=check-elements %s | FileCheck %s
; Components of vectors, and elements of arrays in structures, that their types do not have.

; CHECK-DAG: read of a component that a vector of 4 does not have
; CHECK-DAG: write of a component that a vector of 4 does not have
; CHECK-DAG: write beyond the 4 elements of an array in a structure
; CHECK-DAG: update beyond the 4 elements of an array in a structure

%S = type { i32, [4 x i32], i32 }
%Open = type { i32, [1 x i32] }

; CHECK-LABEL: define spir_kernel void @components(
; CHECK: %right = icmp ult i32 %i, 4
; CHECK: %[[AT:.*]] = select i1 %right, i32 %i, i32 0
; CHECK: call void @__hostcl_report(
; CHECK: %x = extractelement <4 x float> %v, i32 %[[AT]]
; CHECK-NEXT: select i1 %right{{.*}}, float %x, float 0.000000e+00
; CHECK: call void @__hostcl_report(
; CHECK: %w = insertelement <4 x float> %v, float
; CHECK: select i1 %{{.*}}, <4 x float> %w, <4 x float> %v
; CHECK-NOT: call void @__hostcl_report(
; CHECK: ret void
define spir_kernel void @components(ptr addrspace(1) %p, i32 %i) {
  %v = load <4 x float>, ptr addrspace(1) %p
  %x = extractelement <4 x float> %v, i32 %i
  %w = insertelement <4 x float> %v, float %x, i32 %i
  %u = insertelement <4 x float> %w, float %x, i32 3
  store <4 x float> %u, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @members(
; CHECK: %right = icmp ult i64 %i, 4
; CHECK: br i1 %right, label %[[DO:.*]], label
; CHECK: [[DO]]:
; CHECK-NEXT: store i32 1, ptr addrspace(1) %e
; CHECK: icmp ult i64 %i, 4
; CHECK: call i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1) %e)
; CHECK: store i32 2, ptr addrspace(1) %third
; CHECK-NOT: icmp
; CHECK: ret void
define void @members(ptr addrspace(1) %s, i64 %i) {
  %v = getelementptr %S, ptr addrspace(1) %s, i32 0, i32 1
  %e = getelementptr [4 x i32], ptr addrspace(1) %v, i64 0, i64 %i
  store i32 1, ptr addrspace(1) %e
  %old = call i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1) %e)
  %third = getelementptr [4 x i32], ptr addrspace(1) %v, i64 0, i64 3
  store i32 2, ptr addrspace(1) %third
  ret void
}

; One address with all steps, as SPIR-V has it; an end that is open; an array in no structure.
; CHECK-LABEL: define void @others(
; CHECK: icmp ult i64 %i, 4
; CHECK: store i32 1, ptr addrspace(1) %e
; CHECK-NOT: icmp
; CHECK: ret void
define void @others(ptr addrspace(1) %s, i64 %i) {
  %e = getelementptr %S, ptr addrspace(1) %s, i64 7, i32 1, i64 %i
  store i32 1, ptr addrspace(1) %e
  %open = getelementptr %Open, ptr addrspace(1) %s, i64 0, i32 1, i64 %i
  store i32 1, ptr addrspace(1) %open
  %array = getelementptr [4 x i32], ptr addrspace(1) %s, i64 0, i64 %i
  store i32 1, ptr addrspace(1) %array
  ret void
}

declare i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1))

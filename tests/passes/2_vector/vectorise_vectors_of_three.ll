; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Vectors of three elements: packed ones lie 12 bytes apart and are one row of all lanes' elements; those with the room of four
; have gaps that no lane may touch; masks and selects count each element to its lane.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @packed(
; CHECK: [[TWELVE:%.*]] = shufflevector <4 x i1> %mask, <4 x i1> poison, <12 x i32> <i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3>
; CHECK: call <12 x float> @llvm.masked.load.v12f32.p1(ptr addrspace(1) align 4 %p, <12 x i1> [[TWELVE]], <12 x float> poison)
; CHECK: fmul <12 x float>
; CHECK: call void @llvm.masked.store.v12f32.p1(
define spir_kernel void @packed(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr [3 x float], ptr addrspace(1) %a, i64 %x
  %v = load <3 x float>, ptr addrspace(1) %p, align 4
  %w = fmul <3 x float> %v, splat (float 2.0)
  store <3 x float> %w, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @with_gaps(
; CHECK-NOT: @llvm.masked.load.v12
; CHECK-NOT: @llvm.masked.load.v16
; CHECK: @llvm.masked.gather.v12f32
; CHECK: @llvm.masked.scatter.v12f32
; CHECK: ret void
define spir_kernel void @with_gaps(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr <3 x float>, ptr addrspace(1) %a, i64 %x
  %v = load <3 x float>, ptr addrspace(1) %p, align 16
  %w = fmul <3 x float> %v, splat (float 2.0)
  store <3 x float> %w, ptr addrspace(1) %p, align 16
  ret void
}

; A condition of each lane chooses all three elements of it; one of each element chooses that one.
; CHECK-LABEL: define {{.*}}void @choices(
; CHECK: [[C:%.*]] = icmp slt <4 x i32>
; CHECK: [[EACH:%.*]] = shufflevector <4 x i1> [[C]], <4 x i1> poison, <12 x i32> <i32 0, i32 0, i32 0, i32 1,
; CHECK: select <12 x i1> [[EACH]], <12 x float>
; CHECK: [[D:%.*]] = fcmp ogt <12 x float>
; CHECK: select <12 x i1> [[D]], <12 x float>
define spir_kernel void @choices(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr [3 x float], ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load <3 x float>, ptr addrspace(1) %p, align 4
  %n = load i32, ptr addrspace(1) %q
  %c = icmp slt i32 %n, 5
  %w = select i1 %c, <3 x float> %v, <3 x float> zeroinitializer
  %d = fcmp ogt <3 x float> %w, splat (float 1.0)
  %u = select <3 x i1> %d, <3 x float> %w, <3 x float> splat (float 1.0)
  store <3 x float> %u, ptr addrspace(1) %p, align 4
  ret void
}

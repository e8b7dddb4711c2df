; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; The scalar that stands for all lanes is computed also where its own lane is not active: promises that hold for active lanes
; only are dropped from it, but kept where each lane computes its own.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; The sum may wrap in a lane that is not there.
; CHECK-LABEL: define {{.*}}void @affine(
; CHECK: %sum = add i64 %x, %n
; CHECK: %scaled = shl i64 %sum, 2
; CHECK: %p = getelementptr i8, ptr addrspace(1) %a, i64 %scaled
; CHECK: call void @llvm.masked.store.v8i32.p1(
define spir_kernel void @affine(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %sum = add nuw nsw i64 %x, %n
  %scaled = shl nuw nsw i64 %sum, 2
  %p = getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 %scaled
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A sum of numbers without common bits has common bits where lanes are not active: an addition.
; CHECK-LABEL: define {{.*}}void @disjoint(
; CHECK-NOT: or disjoint
; CHECK: [[SUM:%.*]] = add i64 %x, %n
; CHECK: getelementptr i32, ptr addrspace(1) %a, i64 [[SUM]]
define spir_kernel void @disjoint(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %sum = or disjoint i64 %x, %n
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %sum
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}void @own(
; CHECK: add nsw <8 x i32> %
; CHECK: freeze <8 x i32>
; CHECK: udiv <8 x i32> %{{.*}}, splat (i32 3)
; CHECK: fadd nnan <8 x float>
define spir_kernel void @own(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %w = add nsw i32 %v, %v
  %f = freeze i32 %w
  %d = udiv i32 %f, 3
  store i32 %d, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i64 %x
  %r = load float, ptr addrspace(1) %q
  %s = fadd nnan float %r, 1.0
  store float %s, ptr addrspace(1) %q
  ret void
}

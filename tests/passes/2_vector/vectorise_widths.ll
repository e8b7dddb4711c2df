; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s
;
; Kernels of one module may have different widths.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: define {{.*}}void @ints(
; CHECK: call <[[WIDE:[0-9]+]] x i1> @__hostcl_lane_mask()
define spir_kernel void @ints(ptr addrspace(1) %p) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  %w = mul i32 %v, %v
  store i32 %w, ptr addrspace(1) %a, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @chain(
; CHECK: call <32 x i1> @__hostcl_lane_mask.32()
define spir_kernel void @chain(ptr addrspace(1) %p, float %c, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr float, ptr addrspace(1) %p, i64 %x
  %start = load float, ptr addrspace(1) %a, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %u = call float @llvm.fma.f32(float %v, float %c, float %v)
  %w = call float @llvm.fma.f32(float %u, float %c, float %u)
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  store float %w, ptr addrspace(1) %a, align 4
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(print<values>)' %s 2>/dev/null | FileCheck %s --check-prefix=SAME
; Everything that print<values> prints of a value: shape, linear form, range, low bits of the first lane, uniformity
; over the group, and whether it is read after an acquire. Then divergent branches, and whether the kernel can tell its
; groups.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_enqueued_local_size(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK-NEXT: %i: affine 1; 0 to 4095; first lane a multiple of 2^3; group-divergent
; CHECK-NEXT: %j: affine 1; 1 * local_id(0); 0 to 4095; first lane a multiple of 2^3; group-divergent
; CHECK-NEXT: %g: uniform; 0 to 2147483647; group-uniform
; CHECK-NEXT: %two: affine 2; 2 * local_id(0); 0 to 8190; first lane a multiple of 2^4; group-divergent
; CHECK-NEXT: %gone: uniform; 0; {{.*}}group-divergent
; CHECK-NEXT: %a: affine 8; 1 * %p + 8 * local_id(0); group-divergent
; CHECK-NEXT: %x: varying; group-divergent
; CHECK-NEXT: %row: uniform; 1 * %n * group_id(0); group-uniform
; CHECK-NEXT: %sum: uniform; 1 + 1 * %m; group-uniform
; CHECK-NEXT: %wide: uniform; 1 + 1 * %m unless an extension wraps; group-uniform
; CHECK: %above: affine 1, if a test at run time says so;
; CHECK-NEXT: %rest: uniform; 0 to 9; group-uniform
; CHECK-NEXT: %some: uniform; 5 + 1 * %rest; 5 to 14; group-uniform
; CHECK-NEXT: %c: varying; group-divergent
; CHECK-NEXT: %old: varying; group-divergent
; CHECK-NEXT: %late: uniform; group-divergent; after an acquire
; CHECK-NEXT: %entry: lanes leave it for different blocks
; CHECK-NEXT: %entry: work-items leave it for different blocks
; CHECK-NEXT: it can tell groups
; SAME: define spir_kernel void @k(
; SAME: define spir_kernel void @by_global_id(
; SAME-NOT: define
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %two = shl i64 %j, 1
  %gone = sub i64 %i, %j
  %a = getelementptr float, ptr addrspace(1) %p, i64 %two
  %x = load float, ptr addrspace(1) %a
  %row = mul i64 %g, %n
  %sum = add i32 %m, 1
  %wide = sext i32 %sum to i64
  %narrow = trunc i64 %i to i32
  %with = add i32 %narrow, %m
  %above = zext i32 %with to i64
  %rest = urem i64 %n, 10
  %some = add i64 %rest, 5
  %c = fcmp olt float %x, 0.0
  br i1 %c, label %negative, label %done
negative:
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 1 acquire
  %late = load i32, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; CHECK: by_global_id:
; CHECK: it cannot tell groups
define spir_kernel void @by_global_id(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %g, %size
  %at = add i64 %start, %i
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %at
  store i32 1, ptr addrspace(1) %a
  ret void
}

; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; Equal terms are added up, and terms with the factor 0 vanish. Products of several ids keep all their factors. A shift
; by a constant is a product. Any operation that is neither a sum nor a product is a leaf. High powers are leaves as
; well, because the number of their factors doubles with each squaring.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: sums:
; CHECK: %a: affine 12; 1 * %p + 12 * local_id(0);
; CHECK: %less: uniform; 1 * %n;
; CHECK: %b: uniform; 1 * %p + 4 * %n;
; CHECK: products:
; CHECK: %a: varying; 1 * %p + 4 * %n * local_id(0);
; CHECK: %b: uniform; 1 * %p + 32 * group_id(0);
; CHECK: leaves:
; CHECK: %half: varying; 0 to
; CHECK: %a: varying; 1 * %p + 4 * %half;
; CHECK: %mem: uniform; group-uniform
; CHECK: %b: uniform; 1 * %p + 4 * %mem;
; CHECK: powers:
; CHECK: %n8: uniform; 1 * %n * %n * %n * %n * %n * %n * %n * %n; group-uniform
; CHECK: %n16: uniform; group-uniform
; CHECK: %n32: uniform; 1 * %n16 * %n16; group-uniform
define spir_kernel void @sums(ptr addrspace(1) %p, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %again = call i64 @__hostcl_local_id(i32 0)
  %twice = shl i64 %again, 1
  %at = add i64 %i, %twice
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %at
  store i32 1, ptr addrspace(1) %a
  %plus = add i64 %i, %n
  %less = sub i64 %plus, %again
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %less
  store i32 2, ptr addrspace(1) %b
  ret void
}

define spir_kernel void @products(ptr addrspace(1) %p, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %scaled = mul i64 %i, %n
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %scaled
  store i32 1, ptr addrspace(1) %a
  %eight = mul i64 %g, 8
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %eight
  store i32 2, ptr addrspace(1) %b
  ret void
}

define spir_kernel void @leaves(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %half = lshr i64 %i, 1
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %half
  store i32 1, ptr addrspace(1) %a
  %mem = load i64, ptr addrspace(1) %p
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %mem
  store i32 2, ptr addrspace(1) %b
  ret void
}

define spir_kernel void @powers(ptr addrspace(1) %p, i64 %n) {
  %n2 = mul i64 %n, %n
  %n4 = mul i64 %n2, %n2
  %n8 = mul i64 %n4, %n4
  %n16 = mul i64 %n8, %n8
  %n32 = mul i64 %n16, %n16
  store i64 %n32, ptr addrspace(1) %p
  ret void
}

; RUN: hostclc --passes='function(print<linear-forms>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK-NEXT: %x: 1 * %p + 8 * local_id(0){{.*}}; stride 8
; CHECK-NEXT: store %x, %b: {{.*}}4 * %n * group_id(0){{.*}}; unless an extension wraps
; CHECK-NOT: {{.}}
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %two = shl i64 %i, 1
  %a = getelementptr float, ptr addrspace(1) %p, i64 %two
  %x = load float, ptr addrspace(1) %a
  %row = mul i64 %g, %n
  %sum = add i32 %m, 1
  %wide = sext i32 %sum to i64
  %at = add i64 %row, %wide
  %b = getelementptr float, ptr addrspace(1) %p, i64 %at
  store float %x, ptr addrspace(1) %b
  ret void
}

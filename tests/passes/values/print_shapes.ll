; RUN: hostclc --passes='function(print<shapes>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(print<shapes>)' %s 2>/dev/null | FileCheck %s --check-prefix=SAME

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK: %i: affine 1
; CHECK: %g: uniform
; CHECK: %a: affine 4
; CHECK: %x: varying
; CHECK: %c: varying
; CHECK: %0: lanes leave it for different blocks
; SAME: define spir_kernel void @k(
; SAME-NOT: define
define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %a = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %a
  %c = fcmp olt float %x, 0.0
  br i1 %c, label %negative, label %done
negative:
  store float 0.0, ptr addrspace(1) %a
  br label %done
done:
  ret void
}

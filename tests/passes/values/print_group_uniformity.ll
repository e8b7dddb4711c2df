; RUN: hostclc --passes='function(print<group-uniformity>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable

; CHECK: k:
; CHECK-NEXT: %i: divergent
; CHECK-NEXT: %g: uniform
; CHECK-NEXT: %c: divergent
; CHECK-NEXT: %d: uniform
; CHECK-NEXT: %some: work-items leave it for different blocks
; CHECK-NOT: {{.}}
define spir_kernel void @k() {
all:
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %c = icmp eq i64 %i, 0
  %d = icmp eq i64 %g, 0
  br i1 %d, label %some, label %done
some:
  br i1 %c, label %first, label %done
first:
  br label %done
done:
  ret void
}

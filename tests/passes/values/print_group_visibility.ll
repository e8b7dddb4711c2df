; RUN: hostclc --passes='function(print<group-visibility>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_enqueued_local_size(i32) memory(none) nounwind willreturn speculatable

; CHECK: by_global_id:
; CHECK-NEXT: it cannot tell groups
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

; CHECK: by_group:
; CHECK-NEXT: it can tell groups
define spir_kernel void @by_group(ptr addrspace(1) %p) {
  %g = call i64 @__hostcl_group_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %g
  store i32 1, ptr addrspace(1) %a
  ret void
}

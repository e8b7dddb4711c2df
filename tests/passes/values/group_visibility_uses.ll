; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | grep -E ':$|groups' | FileCheck %s
; A kernel that uses group ids and local ids only as parts of global ids cannot tell its groups. A comparison of the
; local id, the number of groups, a barrier, or local memory shows the groups.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_enqueued_local_size(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_count(i32) memory(none) nounwind willreturn speculatable
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK: compared:
; CHECK-NEXT: it cannot tell groups
define spir_kernel void @compared(ptr addrspace(1) %p, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %g, %size
  %at = add i64 %start, %i
  %c = icmp ult i64 %at, %n
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK: first_item:
; CHECK-NEXT: it can tell groups
define spir_kernel void @first_item(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %c = icmp eq i64 %i, 0
  store i1 %c, ptr addrspace(1) %p
  ret void
}

; CHECK: doubled:
; CHECK-NEXT: it can tell groups
define spir_kernel void @doubled(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %g, %size
  %twice = shl i64 %i, 1
  %at = add i64 %start, %twice
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %at
  store i32 1, ptr addrspace(1) %a
  ret void
}

; CHECK: count:
; CHECK-NEXT: it can tell groups
define spir_kernel void @count(ptr addrspace(1) %p) {
  %n = call i64 @__hostcl_group_count(i32 0)
  store i64 %n, ptr addrspace(1) %p
  ret void
}

; CHECK: meets:
; CHECK-NEXT: it can tell groups
define spir_kernel void @meets(ptr addrspace(1) %p) {
  call void @__hostcl_barrier(i32 1)
  ret void
}

; The second dimension is the same for all groups of a launch of one.
; CHECK: other_dimension:
; CHECK-NEXT: it cannot tell groups
define spir_kernel void @other_dimension(ptr addrspace(1) %p) {
  %g = call i64 @__hostcl_group_id(i32 1)
  store i64 %g, ptr addrspace(1) %p
  ret void
}

; A multiple of the global id: the sum of multiples of the group's start and of the local id.
; CHECK: rows:
; CHECK-NEXT: it cannot tell groups
define spir_kernel void @rows(ptr addrspace(1) %p, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %rows = mul i64 %g, %n
  %start = mul i64 %rows, %size
  %row = mul i64 %i, %n
  %at = add i64 %start, %row
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %at
  store i32 1, ptr addrspace(1) %a
  ret void
}

; CHECK: squares:
; CHECK-NEXT: it can tell groups
define spir_kernel void @squares(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %g, %size
  %start2 = mul i64 %start, %start
  %i2 = mul i64 %i, %i
  %at = add i64 %start2, %i2
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %at
  store i32 1, ptr addrspace(1) %a
  ret void
}

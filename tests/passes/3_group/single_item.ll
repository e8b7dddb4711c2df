; RUN: hostclc --passes='function(single-item,barrier-regions)' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; Neither loops nor regions are made, whatever the barrier stands in.
; CHECK-LABEL: define {{.*}}void @alone(
; CHECK-NOT: @__hostcl_local
; CHECK-NOT: @__hostcl_barrier
; CHECK: %group = call i64 @__hostcl_group_id(i32 0)
; CHECK: loop:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: %address = getelementptr i64, ptr addrspace(1) %p, i64 %i
; CHECK-NEXT: store i64 1, ptr addrspace(1) %address
; CHECK-NEXT: %next = add i64 %i, 1
; CHECK-NEXT: icmp
; CHECK-NEXT: br
; CHECK-NOT: br
; CHECK: ret void
define spir_kernel void @alone(ptr addrspace(1) %p, i32 %d) "hostcl.single_item"="true" "hostcl.context_fixed"="4096" {
entry:
  %x = call i64 @__hostcl_local_id(i32 %d)
  %size = call i64 @__hostcl_local_size(i32 0)
  %enqueued = call i64 @__hostcl_enqueued_local_size(i32 2)
  %group = call i64 @__hostcl_group_id(i32 0)
  br label %loop

loop:
  %i = phi i64 [ %x, %entry ], [ %next, %loop ]
  %address = getelementptr i64, ptr addrspace(1) %p, i64 %i
  call void @__hostcl_barrier(i32 1)
  store i64 %enqueued, ptr addrspace(1) %address
  %next = add i64 %i, %size
  %more = icmp ult i64 %next, %group
  br i1 %more, label %loop, label %end

end:
  ret void
}

; Without the attribute nothing is known.
; CHECK-LABEL: define {{.*}}void @several(
; CHECK: @__hostcl_local_size(i32 0)
define spir_kernel void @several(ptr addrspace(1) %p) {
  %x = call i64 @__hostcl_local_id(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; What tables of atomic updates have reserved stays reserved.
; CHECK: "hostcl.context_fixed"="4096" "hostcl.single_item"="true"
; CHECK: "hostcl.context_fixed"="0" "hostcl.context_per_chunk"="0"

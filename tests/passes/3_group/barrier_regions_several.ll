; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Barriers in a row are one; one at the start or end of the kernel costs no loop with work to do; one in a block that cannot
; be reached is gone; kernels without work-items' code stay empty.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use(i64)

; Two regions, so two loops.
; CHECK-LABEL: define {{.*}}void @in_a_row(
; CHECK-COUNT-2: chunk.loop{{[0-9]*}}:
; CHECK-NOT: chunk.loop{{[0-9]*}}:
; CHECK: group.end:
define spir_kernel void @in_a_row() "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @use(i64 %x)
  call void @__hostcl_barrier(i32 1)
  call void @__hostcl_barrier(i32 2)
  call void @__hostcl_barrier(i32 3)
  call void @use(i64 %x)
  ret void
}

; What stands between two barriers makes them two.
; CHECK-LABEL: define {{.*}}void @apart(
; CHECK-COUNT-3: chunk.loop{{[0-9]*}}:
; CHECK: group.end:
define spir_kernel void @apart(ptr addrspace(3) %p) "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @use(i64 %x)
  call void @__hostcl_barrier(i32 1)
  store i32 1, ptr addrspace(3) %p
  call void @__hostcl_barrier(i32 2)
  call void @use(i64 %x)
  ret void
}

; CHECK-LABEL: define {{.*}}void @unreachable(
; CHECK-COUNT-1: chunk.loop{{[0-9]*}}:
; CHECK-NOT: chunk.loop{{[0-9]*}}:
; CHECK: group.end:
define spir_kernel void @unreachable() "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @use(i64 %x)
  ret void
dead:
  call void @__hostcl_barrier(i32 1)
  br label %dead
}

; CHECK-LABEL: define {{.*}}void @empty(
; CHECK: group.end:
; CHECK-NEXT: ret void
define spir_kernel void @empty() {
  ret void
}

; CHECK-LABEL: define {{.*}}void @only_a_barrier(
; CHECK-NOT: @__hostcl_barrier
; CHECK-NOT: @__hostcl_context
; CHECK: ret void
define spir_kernel void @only_a_barrier() "hostcl.dimensions"="1" {
  call void @__hostcl_barrier(i32 1)
  ret void
}

; A function that is no kernel, and a kernel for groups of one work-item, are left alone.
; CHECK-LABEL: define void @function(
; CHECK-NEXT: call void @__hostcl_barrier(i32 1)
define void @function() {
  call void @__hostcl_barrier(i32 1)
  ret void
}
; CHECK-LABEL: define {{.*}}void @alone(
; CHECK-NEXT: call void @use(i64 0)
; CHECK-NEXT: ret void
define spir_kernel void @alone() "hostcl.single_item"="true" {
  call void @use(i64 0)
  ret void
}

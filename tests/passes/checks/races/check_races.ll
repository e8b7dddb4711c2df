; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; Accesses to global and local memory are recorded, private ones are not; the first work-item behind a barrier tells the host.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @accesses(
; CHECK: %group = call ptr @__hostcl_race_group(
; CHECK: [[ODD:%.*]] = call i1 @hostcl.race.write.local.1(ptr %group, i64 %{{.*}}, i64 %record)
; CHECK: br i1 [[ODD]]
; CHECK: call void @__hostcl_race_access(ptr %group,
; CHECK: store i32 1, ptr addrspace(3)
; CHECK: store i32 1, ptr [[PASSED:%.*]],
; CHECK-NEXT: call void @__hostcl_barrier(i32 1)
; CHECK-NEXT: load i32, ptr [[PASSED]]
; CHECK: call void @__hostcl_race_barrier(ptr %group)
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK: call i1 @hostcl.race.read.global.2(
; CHECK: load i64, ptr addrspace(1)
; CHECK-NOT: call
; CHECK: store i64 %v, ptr %own
; CHECK: call i1 @hostcl.race.write.global.2(
define spir_kernel void @accesses(ptr addrspace(1) %a, ptr addrspace(3) %t) {
  %own = alloca i64
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %x
  store i32 1, ptr addrspace(3) %p, align 4
  call void @__hostcl_barrier(i32 1)
  %v = load i64, ptr addrspace(1) %a, align 8
  store i64 %v, ptr %own
  store i64 1, ptr addrspace(1) %a, align 8
  ret void
}

; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; An asynchronous copy is made by copiers, not by work-items, and writes in any case.

declare void @__hostcl_race_copy_begin()
declare void @__hostcl_race_copy_end()

; CHECK-LABEL: define spir_kernel void @copy(
; CHECK: %copier = select i1 %
; CHECK: store i32 1, ptr addrspace(3) %t
; CHECK-NOT: race_copy
; CHECK: %record{{.*}} = or i64 %{{.*}}, 15
; CHECK: call i1 @hostcl.race.write.local.1(
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 4, i64 %record{{.*}}, i32 3,
; CHECK: store i32 2, ptr addrspace(3) %t
; CHECK-NOT: race_copy
; CHECK: ret void
define spir_kernel void @copy(ptr addrspace(3) %t) {
  store i32 1, ptr addrspace(3) %t
  call void @__hostcl_race_copy_begin()
  store i32 2, ptr addrspace(3) %t
  call void @__hostcl_race_copy_end()
  ret void
}

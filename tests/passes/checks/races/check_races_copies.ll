; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A copy writes one range and reads another, of whatever length, perhaps of single bytes; one of no bytes does neither.

declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

; writes to local memory: 1 and 2; reads of global memory: neither; granules are bytes: 32
; CHECK-LABEL: define spir_kernel void @copy(
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(3) %t to i64
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %[[TO]], i64 %n, i64 %{{.*}}, i32 35, ptr @{{.*}})
; CHECK: %[[FROM:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %[[FROM]], i64 %n, i64 %{{.*}}, i32 32, ptr @{{.*}})
; CHECK: call void @llvm.memcpy
define spir_kernel void @copy(ptr addrspace(3) %t, ptr addrspace(1) %a, i64 %n) {
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %t, ptr addrspace(1) %a, i64 %n, i1 false)
  store i32 1, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @fill(
; CHECK: call i1 @hostcl.race.write.global.3(
; CHECK: call void @__hostcl_race_access({{.*}}, i64 12, i64 %{{.*}}, i32 1, ptr @{{.*}})
; CHECK: call void @llvm.memset
; CHECK-NOT: race_access
; CHECK: ret void
define spir_kernel void @fill(ptr addrspace(1) %a) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %a, i8 0, i64 12, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %a, i8 0, i64 0, i1 false)
  ret void
}

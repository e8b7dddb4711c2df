; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Both ends of a copy are checked with its length, which may be zero anywhere.

declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

; CHECK-LABEL: define spir_kernel void @copy(
; CHECK: %rest = call i64 @llvm.usub.sat.i64(i64 %[[SIZE:.*]], i64 %position{{[0-9]*}})
; CHECK: %[[TO:right[0-9]*]] = icmp ule i64 %n, %rest
; CHECK: %[[REST:rest[0-9]+]] = call i64 @llvm.usub.sat.i64(
; CHECK: %[[FROM:right[0-9]*]] = icmp ule i64 %n, %[[REST]]
; CHECK: br i1 %[[TO]],
; CHECK: br i1 %[[FROM]],
; CHECK: call void @llvm.memcpy
; CHECK: call void @__hostcl_report(
; CHECK: call void @__hostcl_report(
define spir_kernel void @copy(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %i, i64 %n) {
  %to = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %from = getelementptr i8, ptr addrspace(1) %b, i64 %i
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @fill(
; CHECK: call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 31)
; CHECK: call void @llvm.memset
; CHECK: call void @__hostcl_report(
define spir_kernel void @fill(ptr addrspace(1) %a, i64 %i) {
  %to = getelementptr i8, ptr addrspace(1) %a, i64 %i
  call void @llvm.memset.p1.i64(ptr addrspace(1) %to, i8 0, i64 32, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @nothing(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @nothing(ptr addrspace(1) %a, i64 %i) {
  %to = getelementptr i8, ptr addrspace(1) %a, i64 %i
  call void @llvm.memset.p1.i64(ptr addrspace(1) %to, i8 0, i64 0, i1 false)
  ret void
}

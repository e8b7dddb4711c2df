; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Copies of memory copy its shadow, padding and all, and are no use by themselves; what comes from memory without a
; shadow is written.

target datalayout = "e-i64:64"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memcpy.p0.p2.i64(ptr, ptr addrspace(2), i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

%record = type { i8, i64 }

; CHECK-LABEL: define spir_kernel void @copies(
; CHECK-NOT: report
; CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}%w.shadow, ptr {{.*}}%v.shadow, i64 16,
; CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}%w, ptr {{.*}}%v, i64 16,
; CHECK: call void @llvm.memmove{{.*}}(ptr {{.*}}%v.shadow, ptr {{.*}}%w.shadow, i64 8,
; CHECK: call void @llvm.memcpy{{.*}}(ptr addrspace(1) {{.*}}, ptr {{.*}}%v.shadow, i64 16,
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @copies(ptr addrspace(1) %a) {
  %v = alloca %record
  %w = alloca %record
  call void @llvm.memcpy.p0.p0.i64(ptr %w, ptr %v, i64 16, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %v, ptr %w, i64 8, i1 false)
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %a, ptr %v, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @filled(
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}%v.shadow, i8 0, i64 16,
; CHECK-NEXT: call void @llvm.memset{{.*}}(ptr {{.*}}%v, i8 7, i64 16,
define spir_kernel void @filled(i64 %n) {
  %v = alloca %record
  call void @llvm.memset.p0.i64(ptr %v, i8 7, i64 16, i1 false)
  ret void
}

; The length itself may be uninitialised.
; CHECK-LABEL: define spir_kernel void @length(
; CHECK: %n = load i64, ptr %v
; CHECK: call void @__hostcl_report(
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}%w, i8 7, i64 %n,
define spir_kernel void @length() {
  %v = alloca [1 x i64]
  %w = alloca [64 x i8]
  %n = load i64, ptr %v
  call void @llvm.memset.p0.i64(ptr %w, i8 7, i64 %n, i1 false)
  ret void
}

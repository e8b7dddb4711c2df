; RUN: hostclc --passes='byval-arguments' %s | FileCheck %s
; A structure by value is copied unless every use of its address only reads: what a call may do with it counts.

%S = type { i32, i32 }
declare void @reads_only(ptr readonly captures(none))
declare void @keeps(ptr readonly)
declare void @writes(ptr captures(none))
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define spir_kernel void @read_by_call(
; CHECK-NOT: alloca
; CHECK: call void @reads_only(ptr %s)
define spir_kernel void @read_by_call(ptr byval(%S) align 4 %s) {
  call void @reads_only(ptr %s)
  ret void
}

; A callee that keeps the address may change the structure later.
; CHECK-LABEL: define spir_kernel void @kept_by_call(
; CHECK: [[OWN:%.*]] = alloca %S, align 4
; CHECK: call void @keeps(ptr [[OWN]])
define spir_kernel void @kept_by_call(ptr byval(%S) align 4 %s) {
  call void @keeps(ptr %s)
  ret void
}

; CHECK-LABEL: define spir_kernel void @written_by_call(
; CHECK: [[OWN:%.*]] = alloca %S
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 [[OWN]], ptr align 4 %s, i64 8, i1 false)
; CHECK: call void @writes(ptr [[OWN]])
define spir_kernel void @written_by_call(ptr byval(%S) align 4 %s) {
  call void @writes(ptr %s)
  ret void
}

; To be the source of a copy is to be read; to be its destination is not.
; CHECK-LABEL: define spir_kernel void @source(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @source(ptr byval(%S) align 4 %s, ptr %to) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %s, i64 8, i1 false)
  ret void
}
; CHECK-LABEL: define spir_kernel void @destination(
; CHECK: [[OWN:%.*]] = alloca %S
; CHECK: call void @llvm.memcpy{{.*}}(ptr [[OWN]], ptr %from, i64 8, i1 false)
define spir_kernel void @destination(ptr byval(%S) align 4 %s, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %from, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK: [[OWN:%.*]] = alloca %S
; CHECK: atomicrmw add ptr [[OWN]]
define spir_kernel void @atomic(ptr byval(%S) align 4 %s) {
  %old = atomicrmw add ptr %s, i32 1 monotonic
  ret void
}

; The address itself leaves the kernel.
; CHECK-LABEL: define spir_kernel void @address_stored(
; CHECK: [[OWN:%.*]] = alloca %S
; CHECK: store ptr [[OWN]], ptr addrspace(1) %p
define spir_kernel void @address_stored(ptr byval(%S) align 4 %s, ptr addrspace(1) %p) {
  store ptr %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @no_kernel(ptr align 4 %s) {
; CHECK: [[OWN:%.*]] = alloca %S
; CHECK: store i32 1, ptr [[OWN]]
define void @no_kernel(ptr byval(%S) align 4 %s) {
  store i32 1, ptr %s
  ret void
}

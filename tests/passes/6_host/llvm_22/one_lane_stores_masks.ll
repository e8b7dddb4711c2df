; RUN: hostclc --passes='function(one-lane-stores)' %s | FileCheck %s
; The element goes to its own place, aligned as that place is, in the store's address space and with its metadata; masks with
; a lane that is not known, and lanes that are not whole bytes, keep the masked store.

declare void @llvm.masked.store.v3i32.p1(<3 x i32>, ptr addrspace(1), <3 x i1>)
declare void @llvm.masked.store.v2i64.p3(<2 x i64>, ptr addrspace(3), <2 x i1>)
declare void @llvm.masked.store.v1f64.p0(<1 x double>, ptr, <1 x i1>)
declare void @llvm.masked.store.v4f16.p0(<4 x half>, ptr, <4 x i1>)
declare void @llvm.masked.store.v8i1.p0(<8 x i1>, ptr, <8 x i1>)

; The last of three elements, 8 bytes from a multiple of 16, is at a multiple of 8.
; CHECK-LABEL: define void @three(
; CHECK: [[TO:%.*]] = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
; CHECK: [[E:%.*]] = extractelement <3 x i32> %v, i64 2
; CHECK: store i32 [[E]], ptr addrspace(1) [[TO]], align 8, !tbaa
define void @three(<3 x i32> %v, ptr addrspace(1) %p) {
  call void @llvm.masked.store.v3i32.p1(<3 x i32> %v, ptr addrspace(1) align 16 %p, <3 x i1> <i1 false, i1 false, i1 true>), !tbaa !0
  ret void
}

; The first element has the alignment of the whole; without one it has none.
; CHECK-LABEL: define void @first(
; CHECK: store i64 %{{.*}}, ptr addrspace(3) %{{.*}}, align 32
; CHECK: store i64 %{{.*}}, ptr addrspace(3) %{{.*}}, align 1
define void @first(<2 x i64> %v, ptr addrspace(3) %p) {
  call void @llvm.masked.store.v2i64.p3(<2 x i64> %v, ptr addrspace(3) align 32 %p, <2 x i1> <i1 true, i1 false>)
  call void @llvm.masked.store.v2i64.p3(<2 x i64> %v, ptr addrspace(3) %p, <2 x i1> <i1 false, i1 true>)
  ret void
}

; CHECK-LABEL: define void @only(
; CHECK: store double
; CHECK: getelementptr inbounds i8, ptr %p, i64 6
; CHECK: store half %{{.*}}, align 2
define void @only(<1 x double> %v, <4 x half> %h, ptr %p) {
  call void @llvm.masked.store.v1f64.p0(<1 x double> %v, ptr align 8 %p, <1 x i1> splat (i1 true))
  call void @llvm.masked.store.v4f16.p0(<4 x half> %h, ptr align 8 %p, <4 x i1> <i1 false, i1 false, i1 false, i1 true>)
  ret void
}

; CHECK-LABEL: define void @not_known(
; CHECK: call void @llvm.masked.store.v3i32.p1({{.*}}<i1 true, i1 undef, i1 false>
; CHECK: call void @llvm.masked.store.v3i32.p1({{.*}}<i1 true, i1 poison, i1 false>
define void @not_known(<3 x i32> %v, ptr addrspace(1) %p) {
  call void @llvm.masked.store.v3i32.p1(<3 x i32> %v, ptr addrspace(1) align 4 %p, <3 x i1> <i1 true, i1 undef, i1 false>)
  call void @llvm.masked.store.v3i32.p1(<3 x i32> %v, ptr addrspace(1) align 4 %p, <3 x i1> <i1 true, i1 poison, i1 false>)
  ret void
}

; Eight bits share a byte.
; CHECK-LABEL: define void @bits(
; CHECK: call void @llvm.masked.store.v8i1.p0(
; CHECK-NOT: store i1
define void @bits(<8 x i1> %v, ptr %p) {
  call void @llvm.masked.store.v8i1.p0(<8 x i1> %v, ptr align 1 %p, <8 x i1> <i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}

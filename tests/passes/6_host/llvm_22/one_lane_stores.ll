; A masked store of one lane that is known is a store of that element.
; RUN: hostclc --passes='function(one-lane-stores)' %s | FileCheck %s

declare void @llvm.masked.store.v4i16.p0(<4 x i16>, ptr, <4 x i1>)

; CHECK-LABEL: @one(
; CHECK: [[TO:%.*]] = getelementptr inbounds i8, ptr %p, i64 4
; CHECK: [[E:%.*]] = extractelement <4 x i16> %v, i{{32|64}} 2
; CHECK: store i16 [[E]], ptr [[TO]], align 4
; CHECK-NOT: masked.store
; CHECK: ret void
define void @one(ptr %p, <4 x i16> %v) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 8 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  ret void
}

; Two lanes, none, and a mask that is not known stay.
; CHECK-LABEL: @others(
; CHECK-COUNT-3: call void @llvm.masked.store
; CHECK: ret void
define void @others(ptr %p, <4 x i16> %v, <4 x i1> %mask) {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr %p, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr %p, <4 x i1> zeroinitializer)
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr %p, <4 x i1> %mask)
  ret void
}

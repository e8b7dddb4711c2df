; RUN: hostclc --passes='function(selected-loads)' %s | FileCheck %s
; A load takes over a select only if the select has the load's mask, is its only user, takes the load where the mask is set,
; and its other value is there before the load; else the load only gets a second use, and only if memory may be written.

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
declare void @unknown()
declare i32 @reads() memory(read)

; CHECK-LABEL: define <4 x i32> @other_mask(
; CHECK: [[X:%.*]] = call <4 x i32> @llvm.masked.load{{.*}}<4 x i32> poison)
; CHECK-NEXT: call void {{.*}}@llvm.fake.use(<4 x i32> [[X]])
; CHECK: select <4 x i1> %other, <4 x i32> [[X]], <4 x i32> %y
define <4 x i32> @other_mask(ptr %p, <4 x i1> %mask, <4 x i1> %other, <4 x i32> %y) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  call void @unknown()
  %s = select <4 x i1> %other, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

; The load is taken where the mask is not set.
; CHECK-LABEL: define <4 x i32> @other_side(
; CHECK: call <4 x i32> @llvm.masked.load{{.*}}<4 x i32> poison)
; CHECK: select <4 x i1> %mask, <4 x i32> %y, <4 x i32> %x
define <4 x i32> @other_side(ptr %p, <4 x i1> %mask, <4 x i32> %y) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  %s = select <4 x i1> %mask, <4 x i32> %y, <4 x i32> %x
  ret <4 x i32> %s
}

; Another user sees what the load says about lanes without mask.
; CHECK-LABEL: define <4 x i32> @second_user(
; CHECK: [[X:%.*]] = call <4 x i32> @llvm.masked.load{{.*}}<4 x i32> zeroinitializer)
; CHECK: [[S:%.*]] = select <4 x i1> %mask, <4 x i32> [[X]], <4 x i32> %y
; CHECK: add <4 x i32> [[X]], [[S]]
define <4 x i32> @second_user(ptr %p, <4 x i1> %mask, <4 x i32> %y) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> zeroinitializer)
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  %t = add <4 x i32> %x, %s
  ret <4 x i32> %t
}

; Reading in between does no harm; a load that is written over only after the select needs no second use.
; CHECK-LABEL: define <4 x i32> @read_between(
; CHECK-NOT: @llvm.fake.use
; CHECK: ret <4 x i32>
define <4 x i32> @read_between(ptr %p, <4 x i1> %mask) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  %n = call i32 @reads() nounwind willreturn
  %y = insertelement <4 x i32> zeroinitializer, i32 %n, i32 0
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  call void @unknown()
  ret <4 x i32> %s
}

; A select of whole vectors by one bit is none by lanes.
; CHECK-LABEL: define <4 x i32> @whole(
; CHECK-NOT: @llvm.fake.use
; CHECK: select i1 %c
define <4 x i32> @whole(ptr %p, <4 x i1> %mask, <4 x i32> %y, i1 %c) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  call void @unknown()
  %s = select i1 %c, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

; One second use is enough for two selects.
; CHECK-LABEL: define <4 x i32> @two_selects(
; CHECK-COUNT-1: @llvm.fake.use
; CHECK-NOT: @llvm.fake.use
; CHECK: ret <4 x i32>
define <4 x i32> @two_selects(ptr %p, <4 x i1> %mask) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  call void @unknown()
  %y = load <4 x i32>, ptr %p
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  %t = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> zeroinitializer
  %u = add <4 x i32> %s, %t
  ret <4 x i32> %u
}

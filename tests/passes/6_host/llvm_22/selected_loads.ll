; Masked loads stay in front of what is written between them and the selects by their mask.
; RUN: hostclc --passes='function(selected-loads,instcombine)' %s | FileCheck %s

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)

; What is there before the load goes into it.
; CHECK-LABEL: @joined(
; CHECK-NEXT: [[X:%.*]] = call <4 x i32> @llvm.masked.load{{.*}}(ptr align 4 %p, <4 x i1> %mask, <4 x i32> %y)
; CHECK-NEXT: call void @llvm.masked.store
; CHECK-NEXT: ret <4 x i32> [[X]]
define <4 x i32> @joined(ptr %p, <4 x i1> %mask, <4 x i32> %y) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %y, ptr align 4 %p, <4 x i1> %mask)
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

; CHECK-LABEL: @overwritten(
; CHECK-NEXT: [[X:%.*]] = call <4 x i32> @llvm.masked.load
; CHECK: call void @llvm.masked.store
; CHECK: select <4 x i1> %mask, <4 x i32> [[X]], <4 x i32>
; CHECK-NOT: masked.load
define <4 x i32> @overwritten(ptr %p, ptr %q, <4 x i1> %mask) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 4 %p, <4 x i1> %mask)
  %y = load <4 x i32>, ptr %q
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

; The other way round, and in another block.
; CHECK-LABEL: @later(
; CHECK: call <4 x i32> @llvm.masked.load
; CHECK: store i32 0
; CHECK: then:
; CHECK: select <4 x i1>
; CHECK-NOT: masked.load
define <4 x i32> @later(ptr %p, <4 x i1> %mask, i1 %c) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  store i32 0, ptr %p
  br i1 %c, label %then, label %end
then:
  %y = load <4 x i32>, ptr %p
  %not = xor <4 x i1> %mask, splat (i1 true)
  %s = select <4 x i1> %not, <4 x i32> %y, <4 x i32> %x
  ret <4 x i32> %s
end:
  ret <4 x i32> zeroinitializer
}

; Nothing is written: instcombine may join them.
; CHECK-LABEL: @undisturbed(
; CHECK: masked.load
; CHECK-NOT: select
; CHECK: ret
define <4 x i32> @undisturbed(ptr %p, ptr %q, <4 x i1> %mask) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %mask, <4 x i32> poison)
  %y = load <4 x i32>, ptr %q
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

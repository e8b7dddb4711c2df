; InstCombine moves a masked load after a store of the same memory (llvm/llvm-project#215453). If FAULT fails, LLVM is mended:
; remove the pass selected-loads.
; RUN: hostclc --passes='function(instcombine)' %s | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(selected-loads,instcombine)' %s | FileCheck --check-prefix=MENDED %s

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)

; FAULT: store <4 x i32> zeroinitializer
; FAULT: call <4 x i32> @llvm.masked.load
; MENDED: call <4 x i32> @llvm.masked.load
; MENDED: store <4 x i32> zeroinitializer
; MENDED-NOT: @llvm.masked.load
; MENDED: ret <4 x i32>
define <4 x i32> @f(ptr %p, <4 x i1> %mask, <4 x i32> %y) {
  %x = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <4 x i1> %mask, <4 x i32> poison)
  store <4 x i32> zeroinitializer, ptr %p
  %s = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %y
  ret <4 x i32> %s
}

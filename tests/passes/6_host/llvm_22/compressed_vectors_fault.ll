; LLVM's code generator compresses wide vectors through the stack, with stores that claim the alignment of whole vectors
; (llvm/llvm-project#200622, fixed in LLVM 23), and crashes on short vectors of bytes (not reported yet: "[X86] Crash:
; llvm.experimental.vector.compress of <8 x i8>", input: @narrow; llc -mcpu=x86-64-v4). If both runs fail, LLVM is mended:
; lanes_at_once() in append_stores.cpp may return the width.
; RUN: sed '/^define.*@narrow/,/^}/d' %s | llc -mtriple=x86_64 -mcpu=x86-64-v4 | FileCheck %s
; RUN: sed '/^define.*@wide/,/^}/d' %s | not --crash llc -mtriple=x86_64 -mcpu=x86-64-v4 -o /dev/null

; CHECK: {{vmovap[sd]|vmovdqa[0-9]*}} %zmm{{[0-9]+}}, {{[0-9]*}}(%rsp,%r{{[a-z]+}},4)
define <32 x i32> @wide(<32 x i32> %v, <32 x i1> %b) {
  %c = call <32 x i32> @llvm.experimental.vector.compress(<32 x i32> %v, <32 x i1> %b, <32 x i32> poison)
  ret <32 x i32> %c
}

define <8 x i8> @narrow(<8 x i8> %v, <8 x i1> %b) {
  %c = call <8 x i8> @llvm.experimental.vector.compress(<8 x i8> %v, <8 x i1> %b, <8 x i8> poison)
  ret <8 x i8> %c
}

; LLVM's x86 code generator stores an element as it was before truncation (llvm/llvm-project#179489). If FAULT fails, LLVM is
; mended: remove the pass one-lane-stores.
; RUN: llc -mtriple=x86_64 -mcpu=x86-64-v4 %s -o - | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(one-lane-stores)' %s | llc -mtriple=x86_64 -mcpu=x86-64-v4 | FileCheck --check-prefix=MENDED %s

declare void @llvm.masked.store.v4i8.p0(<4 x i8>, ptr, <4 x i1>)

; A store of 4 bytes in place of 1 byte.
; FAULT: vextractps $1, %xmm0, 1(%rdi)
; MENDED: vextractps $1, %xmm0, [[X:%e[a-z]+]]
; MENDED-NEXT: movb %{{[a-z]+}}, 1(%rdi)
define void @f(<4 x i32> %v, ptr %p) {
  %t = trunc <4 x i32> %v to <4 x i8>
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %t, ptr %p, <4 x i1> <i1 false, i1 true, i1 false, i1 false>)
  ret void
}

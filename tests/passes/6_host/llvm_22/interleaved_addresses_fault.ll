; If FAULT, the first run, fails, LLVM is mended: remove the pass interleaved-addresses. A report for LLVM:
;   Title: [AArch64] InterleavedAccess: invalid IR for ld2 of SVE in another address space than 0
;   Input: this function; opt -mtriple=aarch64 -mcpu=neoverse-v1 -passes=interleaved-access
;   Expected: a call of llvm.aarch64.sve.ld2.sret with an address in address space 0, or the load as it is
;   Got: Call parameter type does not match function signature! Stores (llvm.aarch64.sve.st2) are likewise
; RUN: not --crash opt -mtriple=aarch64 -mcpu=neoverse-v1 -passes=interleaved-access -S %s 2>&1 | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(interleaved-addresses)' %s | opt -mtriple=aarch64 -mcpu=neoverse-v1 -passes=interleaved-access -S | FileCheck --check-prefix=MENDED %s

target triple = "aarch64-unknown-linux-gnu"

; FAULT: Call parameter type does not match function signature!
; MENDED: call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.aarch64.sve.ld2.sret.nxv4f32(
define <8 x float> @f(ptr addrspace(1) %p) vscale_range(2,16) {
  %v = load <16 x float>, ptr addrspace(1) %p, align 4
  %x = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  ret <8 x float> %x
}

; If LLVM may replace an access by an interleaved access of SVE, the pass casts its address to address space 0.
; RUN: hostclc --passes='function(interleaved-addresses)' %s | FileCheck %s

target triple = "aarch64-unknown-linux-gnu"

; CHECK-LABEL: @both(
; CHECK: %[[FROM:.+]] = addrspacecast ptr addrspace(1) %p to ptr
; CHECK: load <16 x float>, ptr %[[FROM]]
; CHECK: %[[TO:.+]] = addrspacecast ptr addrspace(1) %q to ptr
; CHECK: store <16 x float> %both, ptr %[[TO]]
define void @both(ptr addrspace(1) %p, ptr addrspace(1) %q) vscale_range(2,16) {
  %v = load <16 x float>, ptr addrspace(1) %p, align 4
  %x = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %y = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %both = shufflevector <8 x float> %y, <8 x float> %x, <16 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <16 x float> %both, ptr addrspace(1) %q, align 4
  ret void
}

; Scalable vectors need no vscale_range.
; CHECK-LABEL: @scalable(
; CHECK: %[[PLAIN:.+]] = addrspacecast ptr addrspace(1) %p to ptr
; CHECK: load <vscale x 8 x float>, ptr %[[PLAIN]]
define <vscale x 4 x float> @scalable(ptr addrspace(1) %p) {
  %v = load <vscale x 8 x float>, ptr addrspace(1) %p, align 4
  %parts = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %v)
  %x = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %parts, 0
  ret <vscale x 4 x float> %x
}

; Without vscale_range, LLVM makes no interleaved accesses of fixed vectors, so no address is cast. LLVM does not make one
; of a copy without shuffles either.
; CHECK-LABEL: @without(
; CHECK-NOT: addrspacecast
; CHECK: ret
define <8 x float> @without(ptr addrspace(1) %p) {
  %v = load <16 x float>, ptr addrspace(1) %p, align 4
  %x = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  ret <8 x float> %x
}
; CHECK-LABEL: @copy(
; CHECK-NOT: addrspacecast
; CHECK: ret
define void @copy(ptr addrspace(1) %p, ptr addrspace(1) %q) vscale_range(2,16) {
  %v = load <8 x float>, ptr addrspace(1) %p, align 4
  store <8 x float> %v, ptr addrspace(1) %q, align 4
  ret void
}

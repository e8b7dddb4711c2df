; If LLVM may replace an access by an interleaved access of SVE, the pass casts its address to address space 0.
; RUN: hostclc --passes='function(interleaved-addresses)' %s | FileCheck %s

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

; Without vscale_range, LLVM makes no interleaved accesses of SVE, so no address is cast. LLVM does not make one of a
; copy without shuffles either.
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

; Numbers of pointers that were kept from LLVM become conversions.
; RUN: hostclc --passes=plain-addresses %s | FileCheck %s --implicit-check-not=__hostcl_addresses

declare <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)>)
declare <2 x i64> @__hostcl_addresses.v2p0(<2 x ptr>)

; CHECK-LABEL: @f
; CHECK: %a = ptrtoint <4 x ptr addrspace(1)> %p to <4 x i64>
; CHECK: %b = ptrtoint <4 x ptr addrspace(1)> %p to <4 x i64>
; CHECK: %c = ptrtoint <2 x ptr> %q to <2 x i64>
define <4 x i64> @f(<4 x ptr addrspace(1)> %p, <2 x ptr> %q) {
  %a = call <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)> %p)
  %b = call <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)> %p)
  %c = call <2 x i64> @__hostcl_addresses.v2p0(<2 x ptr> %q)
  %d = extractelement <2 x i64> %c, i64 0
  %e = insertelement <4 x i64> %a, i64 %d, i64 1
  %f = add <4 x i64> %e, %b
  ret <4 x i64> %f
}

; If FAULT fails, LLVM is mended: let the vectoriser write ptrtoint and remove the pass plain-addresses. A report for LLVM:
;   Title: [InstCombine] Comparison of vectors of pointers: a scalar GEP among the addresses becomes a vector for its other users
;   Input: this function with ptrtoint in place of the calls; opt -passes=instcombine
;   Expected: the store still stores to a scalar address.
;   Got: `store i32 1, <4 x ptr> %.splat`, which the verifier rejects
; RUN: not hostclc --passes='plain-addresses,function(instcombine)' %s 2>&1 | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(instcombine),plain-addresses' %s | FileCheck --check-prefix=MENDED %s

declare <4 x i64> @__hostcl_addresses.v4p0(<4 x ptr>) nounwind willreturn memory(none) speculatable

; FAULT: Store operand must be a pointer
; MENDED: store i32 1, ptr %row
define <4 x i1> @f(ptr %a, i64 %k, <4 x i64> %x) {
  %row = getelementptr i32, ptr %a, i64 %k
  %p = getelementptr i32, ptr %row, <4 x i64> %x
  %q = getelementptr i32, ptr %a, <4 x i64> %x
  store i32 1, ptr %row
  %m = call <4 x i64> @__hostcl_addresses.v4p0(<4 x ptr> %p)
  %n = call <4 x i64> @__hostcl_addresses.v4p0(<4 x ptr> %q)
  %c = icmp eq <4 x i64> %m, %n
  ret <4 x i1> %c
}

; If FAULT fails, LLVM is mended: remove the pass shift-amounts. A report for LLVM:
;   Title: [X86] A poison lane of a vector shift, which a shufflevector drops, spoils the shuffle's result on AVX-512
;   Input: this function; llc -mcpu=x86-64-v4
;   Expected: lane 1 of the result is %x[1] & 255. Lane 1 of %shifted is poison, but %r does not select it.
;   Got: lane 1 is all ones for negative %x[1]. The shuffle became `%shifted | (%x & <0, 255>)`, as if lane 1 of %shifted were 0,
;   but vpsravq fills this lane with the sign.
; RUN: llc -mtriple=x86_64 -mcpu=x86-64-v4 %s -o - | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(shift-amounts)' %s | llc -mtriple=x86_64 -mcpu=x86-64-v4 | FileCheck --check-prefix=MENDED %s

; FAULT: .quad 255
; FAULT: vpsravq {{.*}}, %xmm0, %xmm1
; FAULT: xmm0 = (xmm0 & mem) | xmm1
; MENDED-NOT: .quad 255
; MENDED: xmm0 = xmm1[0,1],xmm0[2,3]
define <2 x i64> @f(<2 x i64> %x, ptr %p) {
  %shifted = ashr <2 x i64> %x, <i64 32, i64 255>
  %masked = and <2 x i64> %x, <i64 poison, i64 255>
  %r = shufflevector <2 x i64> %shifted, <2 x i64> %masked, <2 x i32> <i32 0, i32 3>
  store <2 x i64> %shifted, ptr %p
  ret <2 x i64> %r
}

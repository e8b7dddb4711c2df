; Sums of four products of bytes become dot product instructions.
; RUN: hostclc --passes='function(dot-products)' %s | FileCheck %s

; CHECK-LABEL: @of_lanes(
; CHECK: %[[DOT:.+]] = call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(<4 x i32> %c, <16 x i8> %b, <16 x i8> %a)
; CHECK-NEXT: ret <4 x i32> %[[DOT]]
define <4 x i32> @of_lanes(<16 x i8> %a, <16 x i8> %b, <4 x i32> %c) {
  %even = shufflevector <16 x i8> %a, <16 x i8> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %a0 = shufflevector <8 x i8> %even, <8 x i8> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %a1 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %a2 = shufflevector <8 x i8> %even, <8 x i8> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %a3 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %b0 = shufflevector <16 x i8> %b, <16 x i8> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %b1 = shufflevector <16 x i8> %b, <16 x i8> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %b2 = shufflevector <16 x i8> %b, <16 x i8> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %b3 = shufflevector <16 x i8> %b, <16 x i8> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %x0 = sext <4 x i8> %a0 to <4 x i32>
  %x1 = sext <4 x i8> %a1 to <4 x i32>
  %x2 = sext <4 x i8> %a2 to <4 x i32>
  %x3 = sext <4 x i8> %a3 to <4 x i32>
  %y0 = sext <4 x i8> %b0 to <4 x i32>
  %y1 = sext <4 x i8> %b1 to <4 x i32>
  %y2 = sext <4 x i8> %b2 to <4 x i32>
  %y3 = sext <4 x i8> %b3 to <4 x i32>
  %p0 = mul nsw <4 x i32> %x0, %y0
  %p1 = mul nsw <4 x i32> %y1, %x1
  %p2 = mul nsw <4 x i32> %x2, %y2
  %p3 = mul nsw <4 x i32> %x3, %y3
  %s1 = add nsw <4 x i32> %p1, %p0
  %s2 = add nsw <4 x i32> %s1, %p3
  %s3 = add nsw <4 x i32> %s2, %p2
  %sum = add <4 x i32> %c, %s3
  ret <4 x i32> %sum
}

; One operand is the same for all lanes, and the vector of results takes two registers.
; CHECK-LABEL: @by_uniform(
; CHECK: %[[WORD:.+]] = bitcast <4 x i8> %b to i32
; CHECK: call <4 x i32> @llvm.aarch64.neon.udot.v4i32.v16i8(<4 x i32> zeroinitializer
; CHECK: call <4 x i32> @llvm.aarch64.neon.udot.v4i32.v16i8(<4 x i32> zeroinitializer
; CHECK-NOT: mul

; With registers of 256 bits, the same sum is one instruction.
; RUN: sed 's/{ ; RANGE/vscale_range(2,16) {/' %s > %t.ll && hostclc --passes='function(dot-products)' %t.ll | FileCheck --check-prefix=SVE %s
; SVE-LABEL: @by_uniform(
; SVE: call <vscale x 4 x i32> @llvm.aarch64.sve.udot.nxv4i32(
; SVE-NOT: mul
; SVE: ret
define <8 x i32> @by_uniform(<32 x i8> %a, <4 x i8> %b) { ; RANGE
  %a0 = shufflevector <32 x i8> %a, <32 x i8> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %a1 = shufflevector <32 x i8> %a, <32 x i8> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %a2 = shufflevector <32 x i8> %a, <32 x i8> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %a3 = shufflevector <32 x i8> %a, <32 x i8> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %b0 = extractelement <4 x i8> %b, i64 0
  %b1 = extractelement <4 x i8> %b, i64 1
  %b2 = extractelement <4 x i8> %b, i64 2
  %b3 = extractelement <4 x i8> %b, i64 3
  %x0 = zext <8 x i8> %a0 to <8 x i32>
  %x1 = zext <8 x i8> %a1 to <8 x i32>
  %x2 = zext <8 x i8> %a2 to <8 x i32>
  %x3 = zext <8 x i8> %a3 to <8 x i32>
  %z0 = zext i8 %b0 to i32
  %z1 = zext i8 %b1 to i32
  %z2 = zext i8 %b2 to i32
  %z3 = zext i8 %b3 to i32
  %i0 = insertelement <8 x i32> poison, i32 %z0, i64 0
  %i1 = insertelement <8 x i32> poison, i32 %z1, i64 0
  %i2 = insertelement <8 x i32> poison, i32 %z2, i64 0
  %i3 = insertelement <8 x i32> poison, i32 %z3, i64 0
  %y0 = shufflevector <8 x i32> %i0, <8 x i32> poison, <8 x i32> zeroinitializer
  %y1 = shufflevector <8 x i32> %i1, <8 x i32> poison, <8 x i32> zeroinitializer
  %y2 = shufflevector <8 x i32> %i2, <8 x i32> poison, <8 x i32> zeroinitializer
  %y3 = shufflevector <8 x i32> %i3, <8 x i32> poison, <8 x i32> zeroinitializer
  %p0 = mul <8 x i32> %x0, %y0
  %p1 = mul <8 x i32> %x1, %y1
  %p2 = mul <8 x i32> %x2, %y2
  %p3 = mul <8 x i32> %x3, %y3
  %s1 = add <8 x i32> %p0, %p1
  %s2 = add <8 x i32> %s1, %p2
  %s3 = add <8 x i32> %s2, %p3
  ret <8 x i32> %s3
}

; A product of a signed and an unsigned byte stays as it is, and so does a sum of three other products.
; CHECK-LABEL: @others(
; CHECK-NOT: dot
; CHECK: ret
define <4 x i32> @others(<16 x i8> %a, <16 x i8> %b) {
  %a0 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %a1 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %a2 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %a3 = shufflevector <16 x i8> %a, <16 x i8> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %x0 = sext <4 x i8> %a0 to <4 x i32>
  %x1 = sext <4 x i8> %a1 to <4 x i32>
  %x2 = sext <4 x i8> %a2 to <4 x i32>
  %x3 = sext <4 x i8> %a3 to <4 x i32>
  %u3 = zext <4 x i8> %a3 to <4 x i32>
  %p0 = mul <4 x i32> %x0, %x0
  %p1 = mul <4 x i32> %x1, %x1
  %p2 = mul <4 x i32> %x2, %x2
  %p3 = mul <4 x i32> %x3, %u3
  %s1 = add <4 x i32> %p0, %p1
  %s2 = add <4 x i32> %s1, %p2
  %s3 = add <4 x i32> %s2, %p3
  ret <4 x i32> %s3
}

; RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
; RUN: hostclc --passes='function(multiply-matrices)' %s \
; RUN:   | FileCheck %s
; Products of matrices are loops over tiles. The result is C and the products, and the tile's sums stay in registers.
target triple = "x86_64-unknown-linux-gnu"

declare <256 x float> @llvm.matrix.multiply.v256f32.v256f32.v256f32(<256 x float>, <256 x float>, i32, i32, i32)
declare <64 x i32> @llvm.matrix.multiply.v64i32.v64i32.v64i32(<64 x i32>, <64 x i32>, i32, i32, i32)
declare <6 x float> @llvm.matrix.multiply.v6f32.v2f32.v3f32(<2 x float>, <3 x float>, i32, i32, i32)
declare <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float>, <64 x float>, i32, i32, i32)

; One tile: 16 rows of a register each. Each iteration adds the products for 4 columns of A.
; CHECK-LABEL: @one_tile(
; CHECK: store <256 x float> %a, ptr %[[A:.+]], align 64
; CHECK: store <256 x float> %b, ptr %[[B:.+]], align 64
; CHECK-COUNT-16: phi <16 x float>
; CHECK: %[[FIRST:.+]] = load <16 x float>, ptr %{{.+}}, align 64
; CHECK: %[[COMPONENT:.+]] = load float, ptr %{{.+}}, align 4
; CHECK-COUNT-16: call <16 x float> @llvm.fmuladd.v16f32(
; CHECK-COUNT-48: call <16 x float> @llvm.fmuladd.v16f32(
; CHECK-NOT: fmuladd
; CHECK: icmp eq i64 %{{.+}}, 4
; CHECK-NOT: fadd
; CHECK: ret <256 x float>
define <256 x float> @one_tile(<256 x float> %a, <256 x float> %b, <256 x float> %c) #0 {
  %p = call contract <256 x float> @llvm.matrix.multiply.v256f32.v256f32.v256f32(<256 x float> %b, <256 x float> %a, i32 16, i32 16, i32 16)
  %d = fadd <256 x float> %c, %p
  ret <256 x float> %d
}

; Registers of 4 floats: tiles of 4 rows and 8 columns, in loops over rows and columns. Products that may not be
; contracted are rounded.
; CHECK-LABEL: @tiles(
; CHECK: store <256 x float> %c, ptr %[[C:.+]], align 64
; CHECK-COUNT-8: load <4 x float>
; CHECK-COUNT-8: phi <4 x float>
; CHECK: %[[PRODUCT:.+]] = fmul <4 x float>
; CHECK-NEXT: fadd <4 x float> %{{.+}}, %[[PRODUCT]]
; CHECK: icmp eq i64 %{{.+}}, 4
; CHECK-COUNT-8: store <4 x float>
; CHECK: icmp eq i64 %{{.+}}, 2
; CHECK: icmp eq i64 %{{.+}}, 4
; CHECK: load <256 x float>, ptr %[[C]], align 64
define <256 x float> @tiles(<256 x float> %a, <256 x float> %b, <256 x float> %c) #1 {
  %p = call <256 x float> @llvm.matrix.multiply.v256f32.v256f32.v256f32(<256 x float> %b, <256 x float> %a, i32 16, i32 16, i32 16)
  %d = fadd <256 x float> %p, %c
  ret <256 x float> %d
}

; Signed bytes: A has 128 added to each component, and the sums of 128 * B are subtracted again.
; CHECK-LABEL: @signed_bytes(
; CHECK: xor <64 x i8> %a, splat (i8 -128)
; CHECK: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %{{.+}}, <32 x i8> %{{.+}}, <32 x i8> %{{.+}})
; CHECK: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %{{.+}}, <32 x i8> bitcast (<8 x i32> splat (i32 -2139062144) to <32 x i8>), <32 x i8> %{{.+}})
; CHECK: sub <8 x i32>
define <64 x i32> @signed_bytes(<64 x i8> %a, <64 x i8> %b) #0 {
  %wide_a = sext <64 x i8> %a to <64 x i32>
  %wide_b = sext <64 x i8> %b to <64 x i32>
  %p = call <64 x i32> @llvm.matrix.multiply.v64i32.v64i32.v64i32(<64 x i32> %wide_b, <64 x i32> %wide_a, i32 8, i32 8, i32 8)
  ret <64 x i32> %p
}

; The factor without sign is the instruction's first one.
; CHECK-LABEL: @mixed_bytes(
; CHECK-NOT: xor
; CHECK: %[[B:.+]] = load <8 x i32>
; CHECK: %[[BYTES:.+]] = bitcast <8 x i32> %[[B]] to <32 x i8>
; CHECK: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> {{.+}}, <32 x i8> %[[BYTES]], <32 x i8> %{{.+}})
; CHECK: ret
define <64 x i32> @mixed_bytes(<64 x i8> %a, <64 x i8> %b) #0 {
  %wide_a = sext <64 x i8> %a to <64 x i32>
  %wide_b = zext <64 x i8> %b to <64 x i32>
  %p = call <64 x i32> @llvm.matrix.multiply.v64i32.v64i32.v64i32(<64 x i32> %wide_b, <64 x i32> %wide_a, i32 8, i32 8, i32 8)
  ret <64 x i32> %p
}

; Without AVX-512: words, two of each at once.
; CHECK-LABEL: @bytes_of_sse(
; CHECK: sext <64 x i8> %a to <64 x i16>
; CHECK: zext <64 x i8> %b to <64 x i16>
; CHECK: %[[SUM:.+]] = call <4 x i32> @llvm.x86.sse2.pmadd.wd(
; CHECK-NEXT: add <4 x i32> %{{.+}}, %[[SUM]]
define <64 x i32> @bytes_of_sse(<64 x i8> %a, <64 x i8> %b) #1 {
  %wide_a = sext <64 x i8> %a to <64 x i32>
  %wide_b = zext <64 x i8> %b to <64 x i32>
  %p = call <64 x i32> @llvm.matrix.multiply.v64i32.v64i32.v64i32(<64 x i32> %wide_b, <64 x i32> %wide_a, i32 8, i32 8, i32 8)
  ret <64 x i32> %p
}

; CHECK-LABEL: @bfloats(
; CHECK: call <8 x float> @llvm.x86.avx512bf16.dpbf16ps.256(
define <64 x float> @bfloats(<64 x i16> %a, <64 x i16> %b) #0 {
  %zero_a = zext <64 x i16> %a to <64 x i32>
  %bits_a = shl <64 x i32> %zero_a, splat (i32 16)
  %wide_a = bitcast <64 x i32> %bits_a to <64 x float>
  %zero_b = zext <64 x i16> %b to <64 x i32>
  %bits_b = shl <64 x i32> %zero_b, splat (i32 16)
  %wide_b = bitcast <64 x i32> %bits_b to <64 x float>
  %p = call contract <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float> %wide_b, <64 x float> %wide_a, i32 8, i32 8, i32 8)
  ret <64 x float> %p
}

; Its results differ from those of other CPUs.
; CHECK-LABEL: @same_bits(
; CHECK-NOT: dpbf16ps
; CHECK: ret <64 x float>
define <64 x float> @same_bits(<64 x i16> %a, <64 x i16> %b) #0 {
  %zero_a = zext <64 x i16> %a to <64 x i32>
  %bits_a = shl <64 x i32> %zero_a, splat (i32 16)
  %wide_a = bitcast <64 x i32> %bits_a to <64 x float>
  %zero_b = zext <64 x i16> %b to <64 x i32>
  %bits_b = shl <64 x i32> %zero_b, splat (i32 16)
  %wide_b = bitcast <64 x i32> %bits_b to <64 x float>
  %p = call <64 x float> @llvm.matrix.multiply.v64f32.v64f32.v64f32(<64 x float> %wide_b, <64 x float> %wide_a, i32 8, i32 8, i32 8)
  ret <64 x float> %p
}

; Sizes that no cooperative matrix has: 3 rows, 2 columns, and one product for each component.
; CHECK-LABEL: @small(
; CHECK-COUNT-2: load <2 x float>
; CHECK: fmul <2 x float>
; CHECK: icmp eq i64 %{{.+}}, 3
; CHECK: load <6 x float>
define <6 x float> @small(<3 x float> %a, <2 x float> %b, <6 x float> %c) #1 {
  %p = call <6 x float> @llvm.matrix.multiply.v6f32.v2f32.v3f32(<2 x float> %b, <3 x float> %a, i32 2, i32 1, i32 3)
  %d = fadd <6 x float> %p, %c
  ret <6 x float> %d
}

attributes #0 = { "target-cpu"="znver5" "prefer-vector-width"="512" }
attributes #1 = { "target-cpu"="x86-64" }

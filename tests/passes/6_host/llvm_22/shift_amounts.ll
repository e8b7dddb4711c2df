; Lanes of constant shift amounts are smaller than the number of bits.
; RUN: hostclc --passes='function(shift-amounts)' %s | FileCheck %s

; CHECK-LABEL: @too_large
; CHECK: %a = ashr exact <4 x i64> %x, <i64 32, i64 0, i64 63, i64 0>
; CHECK: %b = shl nuw <4 x i32> %y, <i32 0, i32 31, i32 0, i32 7>
; CHECK: %c = lshr <2 x i8> %z, <i8 0, i8 7>
define void @too_large(<4 x i64> %x, <4 x i32> %y, <2 x i8> %z, ptr %to) {
  %a = ashr exact <4 x i64> %x, <i64 32, i64 255, i64 63, i64 64>
  %b = shl nuw <4 x i32> %y, <i32 32, i32 31, i32 poison, i32 7>
  %c = lshr <2 x i8> %z, <i8 -1, i8 7>
  store <4 x i64> %a, ptr %to
  store <4 x i32> %b, ptr %to
  store <2 x i8> %c, ptr %to
  ret void
}

; What fits stays, and so do other operations, scalars and amounts that are not known.
; CHECK-LABEL: @fits
; CHECK: %a = ashr <4 x i64> %x, <i64 32, i64 0, i64 63, i64 1>
; CHECK: %b = and <4 x i64> %x, <i64 32, i64 255, i64 63, i64 64>
; CHECK: %c = shl i32 %s, 40
; CHECK: %d = shl <4 x i64> %x, %a
; CHECK: %e = lshr <4 x i64> %x, splat (i64 3)
define void @fits(<4 x i64> %x, i32 %s, ptr %to) {
  %a = ashr <4 x i64> %x, <i64 32, i64 0, i64 63, i64 1>
  %b = and <4 x i64> %x, <i64 32, i64 255, i64 63, i64 64>
  %c = shl i32 %s, 40
  %d = shl <4 x i64> %x, %a
  %e = lshr <4 x i64> %x, <i64 3, i64 3, i64 3, i64 3>
  store <4 x i64> %b, ptr %to
  store i32 %c, ptr %to
  store <4 x i64> %d, ptr %to
  store <4 x i64> %e, ptr %to
  ret void
}

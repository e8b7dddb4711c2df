; RUN: hostclc --passes='function(narrow-integers)' %s | FileCheck %s
; RUN: hostclc --passes='function(narrow-integers<no-narrow_integers>)' %s | FileCheck %s --check-prefix=OFF

declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; Differences are signed numbers of 16 bits.
; CHECK-LABEL: define i8 @differences(
; CHECK:      %[[A:.*]] = zext i8 %a to i16
; CHECK:      %[[B:.*]] = zext i8 %b to i16
; CHECK:      %[[D:.*]] = sub i16 %[[A]], %[[B]]
; CHECK:      %[[T:.*]] = shl i16 %[[D]], 1
; CHECK:      %[[P:.*]] = call i16 @llvm.abs.i16(i16 %[[T]], i1 false)
; CHECK:      %[[M:.*]] = call i16 @llvm.umin.i16(i16 %[[P]], i16 255)
; CHECK:      trunc i16 %[[M]] to i8
; OFF-LABEL: define i8 @differences(
; OFF: sub nsw i32
define i8 @differences(i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %d = sub nsw i32 %x, %y
  %t = shl nsw i32 %d, 1
  %p = call i32 @llvm.abs.i32(i32 %t, i1 true)
  %m = call i32 @llvm.umin.i32(i32 %p, i32 255)
  %r = trunc i32 %m to i8
  ret i8 %r
}

; Weights that add up to 256 make unsigned ones: a shift and an order are those of unsigned numbers.
; OFF-LABEL: define i8 @weights(
; CHECK-LABEL: define i8 @weights(
; CHECK: mul i16 {{.*}}, 156
; CHECK: mul i16 {{.*}}, 100
; CHECK: %[[S:.*]] = add i16
; CHECK: %[[M:.*]] = call i16 @llvm.umax.i16(i16 %[[S]], i16 7)
; CHECK: lshr i16 %[[M]], 8
define i8 @weights(i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %p = mul i32 %x, 156
  %q = mul i32 %y, 100
  %s = add i32 %p, %q
  %m = call i32 @llvm.smax.i32(i32 %s, i32 7)
  %h = ashr i32 %m, 8
  %r = trunc i32 %h to i8
  ret i8 %r
}

; Comparisons take narrow numbers, too.
; CHECK-LABEL: define i1 @order(
; CHECK: icmp slt i16
define i1 @order(i8 %a, i8 %b) {
  %x = sext i8 %a to i32
  %y = zext i8 %b to i32
  %s = sub i32 %x, %y
  %c = icmp slt i32 %s, -3
  ret i1 %c
}

; Divisions by constants: of what may be negative, and of what is large.
; CHECK-LABEL: define i8 @quotients(
; CHECK: sdiv i16 %{{.*}}, 9
; CHECK: srem i16 %{{.*}}, 7
; CHECK: udiv i16 %{{.*}}, 255
define i8 @quotients(i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %d = sub nsw i32 %x, %y
  %q = sdiv i32 %d, 9
  %r = srem i32 %d, 7
  %p = mul i32 %x, 257
  %h = sdiv i32 %p, 255
  %s = add i32 %q, %r
  %t = trunc i32 %s to i8
  %u = trunc i32 %h to i8
  %v = xor i8 %t, %u
  ret i8 %v
}

; Divisions that are others with 16 bits, or make none of them faster.
; CHECK-LABEL: define i8 @not_divided(
; CHECK-NOT: div i16
; CHECK: ret i8
define i8 @not_divided(i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %d = sub nsw i32 %x, %y
  %q = sdiv i32 %d, -1
  %r = udiv i32 %d, 3
  %n = or i32 %y, 1
  %h = udiv i32 %x, %n
  %s = add i32 %q, %r
  %t = add i32 %s, %h
  %u = trunc i32 %t to i8
  ret i8 %u
}

; One more than fits: 257 * 255 as unsigned, 129 * 255 with a number that may be negative.
; CHECK-LABEL: define i8 @too_large(
; CHECK: mul i32
; CHECK: mul i32
define i8 @too_large(i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %p = mul i32 %x, 258
  %h = lshr i32 %p, 8
  %y = zext i8 %b to i32
  %q = mul i32 %y, 129
  %z = sub i32 %q, 40000
  %k = ashr i32 %z, 8
  %s = add i32 %h, %k
  %r = trunc i32 %s to i8
  ret i8 %r
}

; All 32 bits are used, are unknown, or are shifted out.
; CHECK-LABEL: define i32 @wide(
; CHECK-NOT: i16
; CHECK: ret i32
define i32 @wide(i8 %a, i32 %n) {
  %x = zext i8 %a to i32
  %s = add i32 %x, 1
  %t = add i32 %n, 1
  %u = trunc i32 %t to i8
  %v = zext i8 %u to i32
  %w = shl i32 %v, 20
  %h = lshr i32 %w, 24
  %g = trunc i32 %h to i8
  %e = zext i8 %g to i32
  %r = xor i32 %s, %e
  ret i32 %r
}

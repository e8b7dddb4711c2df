; RUN: hostclc --passes='function(guarded-division)' %s | FileCheck %s
; A constant divisor is left alone if and only if no numerator can trap with it: not 0, and not -1 of a signed division.

; CHECK-LABEL: define i32 @signed_minus_one(
; CHECK: [[LEAST:%.*]] = icmp eq i32 %n, -2147483648
; CHECK: [[OVERFLOWS:%.*]] = and i1 [[LEAST]], true
; CHECK: [[BAD:%.*]] = or i1 false, [[OVERFLOWS]]
; CHECK: [[SAFE:%.*]] = select i1 [[BAD]], i32 1, i32 -1
; CHECK: sdiv i32 %n, [[SAFE]]
define i32 @signed_minus_one(i32 %n) {
  %q = sdiv i32 %n, -1
  ret i32 %q
}

; CHECK-LABEL: define i32 @remainder_by_minus_one(
; CHECK: [[SAFE:%.*]] = select i1 %{{.*}}, i32 1, i32 -1
; CHECK: srem i32 %n, [[SAFE]]
define i32 @remainder_by_minus_one(i32 %n) {
  %r = srem i32 %n, -1
  ret i32 %r
}

; The same bits are the largest number to an unsigned division.
; CHECK-LABEL: define i32 @unsigned_largest(
; CHECK-NEXT: udiv i32 %n, -1
define i32 @unsigned_largest(i32 %n) {
  %q = udiv i32 %n, -1
  ret i32 %q
}

; CHECK-LABEL: define i32 @by_zero(
; CHECK-NOT: udiv i32 %n, 0
; CHECK-NOT: urem i32 %n, 0
; CHECK: udiv i32 %n, 1
; CHECK: urem i32 %n, 1
define i32 @by_zero(i32 %n) {
  %q = udiv i32 %n, 0
  %r = urem i32 %n, 0
  %s = add i32 %q, %r
  ret i32 %s
}

; CHECK-LABEL: define i64 @least(
; CHECK-NEXT: sdiv i64 %n, -9223372036854775808
define i64 @least(i64 %n) {
  %q = sdiv i64 %n, -9223372036854775808
  ret i64 %q
}

; One lane of a constant vector is enough to trap.
; CHECK-LABEL: define <2 x i32> @one_zero_lane(
; CHECK-NOT: udiv <2 x i32> %n, <i32 3, i32 0>
; CHECK: udiv <2 x i32> %n, <i32 3, i32 1>
define <2 x i32> @one_zero_lane(<2 x i32> %n) {
  %q = udiv <2 x i32> %n, <i32 3, i32 0>
  ret <2 x i32> %q
}

; CHECK-LABEL: define <2 x i32> @one_minus_lane(
; CHECK: [[LEAST:%.*]] = icmp eq <2 x i32> %n, splat (i32 -2147483648)
; CHECK: [[SAFE:%.*]] = select <2 x i1> %{{.*}}, <2 x i32> splat (i32 1), <2 x i32> <i32 3, i32 -1>
; CHECK: sdiv <2 x i32> %n, [[SAFE]]
define <2 x i32> @one_minus_lane(<2 x i32> %n) {
  %q = sdiv <2 x i32> %n, <i32 3, i32 -1>
  ret <2 x i32> %q
}

; CHECK-LABEL: define <2 x i32> @all_lanes_harmless(
; CHECK-NEXT: sdiv <2 x i32> %n, splat (i32 5)
define <2 x i32> @all_lanes_harmless(<2 x i32> %n) {
  %q = sdiv <2 x i32> %n, splat (i32 5)
  ret <2 x i32> %q
}

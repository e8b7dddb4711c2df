; RUN: hostclc --passes='function(guarded-division)' %s | FileCheck %s
; The smallest number is that of the division's own type, of each lane of a vector, and matters to signed divisions only.

; CHECK-LABEL: define i8 @bytes(
; CHECK: icmp eq i8 %n, -128
; CHECK: icmp eq i8 %d, -1
; CHECK: sdiv i8
define i8 @bytes(i8 %n, i8 %d) {
  %q = sdiv i8 %n, %d
  ret i8 %q
}

; CHECK-LABEL: define i64 @longs(
; CHECK: icmp eq i64 %n, -9223372036854775808
; CHECK: srem i64
define i64 @longs(i64 %n, i64 %d) {
  %r = srem i64 %n, %d
  ret i64 %r
}

; CHECK-LABEL: define i128 @wide(
; CHECK: icmp eq i128 %n, -170141183460469231731687303715884105728
; CHECK: [[SAFE:%.*]] = select i1 %{{.*}}, i128 1, i128 %d
; CHECK: sdiv i128 %n, [[SAFE]]
define i128 @wide(i128 %n, i128 %d) {
  %q = sdiv i128 %n, %d
  ret i128 %q
}

; CHECK-LABEL: define <3 x i16> @three(
; CHECK: icmp eq <3 x i16> %d, zeroinitializer
; CHECK: icmp eq <3 x i16> %n, splat (i16 -32768)
; CHECK: icmp eq <3 x i16> %d, splat (i16 -1)
; CHECK: [[SAFE:%.*]] = select <3 x i1> %{{.*}}, <3 x i16> splat (i16 1), <3 x i16> %d
; CHECK: sdiv <3 x i16> %n, [[SAFE]]
define <3 x i16> @three(<3 x i16> %n, <3 x i16> %d) {
  %q = sdiv <3 x i16> %n, %d
  ret <3 x i16> %q
}

; An unsigned one overflows never.
; CHECK-LABEL: define i32 @unsigned(
; CHECK: [[ZERO:%.*]] = icmp eq i32 %d, 0
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32 %d
; CHECK-NEXT: udiv exact i32 %n, [[SAFE]]
define i32 @unsigned(i32 %n, i32 %d) {
  %q = udiv exact i32 %n, %d
  ret i32 %q
}

; Floats divide by zero as they please.
; CHECK-LABEL: define float @real(
; CHECK-NEXT: fdiv float %n, %d
; CHECK-NEXT: frem float
define float @real(float %n, float %d) {
  %q = fdiv float %n, %d
  %r = frem float %q, %d
  ret float %r
}

; Each division of a chain gets a divisor of its own, also in a block that is not always run.
; CHECK-LABEL: define i32 @chain(
; CHECK: then:
; CHECK: [[FIRST:%.*]] = select i1 %{{.*}}, i32 1, i32 %d
; CHECK: %q = udiv i32 %n, [[FIRST]]
; CHECK: [[ZERO:%.*]] = icmp eq i32 %q, 0
; CHECK: [[SECOND:%.*]] = select i1 [[ZERO]], i32 1, i32 %q
; CHECK: udiv i32 %n, [[SECOND]]
define i32 @chain(i32 %n, i32 %d, i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  %q = udiv i32 %n, %d
  %r = udiv i32 %n, %q
  ret i32 %r
end:
  ret i32 0
}

; RUN: hostclc --passes='function(guarded-division)' %s | FileCheck %s
; A divisor that could trap becomes 1.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; CHECK-LABEL: define i32 @signed(
; CHECK: %[[ZERO:.*]] = icmp eq i32 %d, 0
; CHECK: %[[LEAST:.*]] = icmp eq i32 %n, -2147483648
; CHECK: %[[MINUS:.*]] = icmp eq i32 %d, -1
; CHECK: %[[OVERFLOWS:.*]] = and i1 %[[LEAST]], %[[MINUS]]
; CHECK: %[[BAD:.*]] = or i1 %[[ZERO]], %[[OVERFLOWS]]
; CHECK: %[[SAFE:.*]] = select i1 %[[BAD]], i32 1, i32 %d, !hostcl.guarded_divisor
; CHECK: sdiv i32 %n, %[[SAFE]]
define i32 @signed(i32 %n, i32 %d) {
  %q = sdiv i32 %n, %d
  ret i32 %q
}

; CHECK-LABEL: define <4 x i8> @vector(
; CHECK: %[[ZERO:.*]] = icmp eq <4 x i8> %d, zeroinitializer
; CHECK: %[[SAFE:.*]] = select <4 x i1> %[[ZERO]], <4 x i8> splat (i8 1), <4 x i8> %d
; CHECK: urem <4 x i8> %n, %[[SAFE]]
define <4 x i8> @vector(<4 x i8> %n, <4 x i8> %d) {
  %r = urem <4 x i8> %n, %d
  ret <4 x i8> %r
}

; CHECK-LABEL: define i32 @constant(
; CHECK-NEXT: %q = sdiv i32 %n, 7
define i32 @constant(i32 %n) {
  %q = sdiv i32 %n, 7
  ret i32 %q
}

; RUN: hostclc --passes=check-arguments %s | FileCheck %s
; Arguments that functions do not allow: bounds in the wrong order, numbers of more than 24 bits, and bit-fields that are too
; long. Which comparison it is depends on the type in the mangled name.

; CHECK-DAG: c"clamp() with a minimum above the maximum\00"
; CHECK-DAG: c"smoothstep() with a first edge that is not below the second\00"
; CHECK-DAG: c"mul24() of a number that has more than 24 bits\00"
; CHECK-DAG: c"a bit-field that reaches beyond the bits of its integer\00"

; CHECK-LABEL: define spir_kernel void @order(
; CHECK: icmp sgt i32 %n, %m
; CHECK: call void @__hostcl_report(
; CHECK: call i32 @_Z5clampiii(
; CHECK: icmp ugt i32 %n, %m
; CHECK: call i32 @_Z5clampjjj(
; CHECK: %[[LANES:.*]] = icmp ugt <2 x i32> %v, %w
; CHECK: extractelement <2 x i1> %[[LANES]], i64 1
; CHECK: call <2 x i32> @_Z5clampDv2_jS_S_(
; CHECK: fcmp ogt float %x, %y
; CHECK: call float @_Z5clampfff(
; CHECK: fcmp oge float %x, %y
; CHECK: call float @_Z10smoothstepfff(
define spir_kernel void @order(i32 %n, i32 %m, <2 x i32> %v, <2 x i32> %w, float %x, float %y) {
  %a = call i32 @_Z5clampiii(i32 0, i32 %n, i32 %m)
  %b = call i32 @_Z5clampjjj(i32 0, i32 %n, i32 %m)
  %c = call <2 x i32> @_Z5clampDv2_jS_S_(<2 x i32> %v, <2 x i32> %v, <2 x i32> %w)
  %d = call float @_Z5clampfff(float 0.0, float %x, float %y)
  %e = call float @_Z10smoothstepfff(float %x, float %y, float 0.0)
  %f = call i32 @_Z3maxii(i32 %n, i32 %m)
  ret void
}

; Signed numbers of 24 bits are moved to a range that begins at zero.
; CHECK-LABEL: define internal void @bits(
; CHECK: %[[MOVED:.*]] = add i32 %n, 8388608
; CHECK: icmp uge i32 %[[MOVED]], 16777216
; CHECK: call i32 @_Z5mul24ii(
; CHECK: icmp uge i32 %n, 16777216
; CHECK: icmp uge i32 %m, 16777216
; CHECK: call i32 @_Z5mul24jj(
; CHECK: %[[END:.*]] = add i64 %{{.*}}, %{{.*}}
; CHECK: icmp ugt i64 %[[END]], 32
; CHECK: call i32 @_Z15bitfield_insertiijj(
; CHECK: icmp ugt i64 %{{.*}}, 32
; CHECK: call i32 @_Z23bitfield_extract_signedijj(
define internal void @bits(i32 %n, i32 %m) {
  %a = call i32 @_Z5mul24ii(i32 %n, i32 %m)
  %b = call i32 @_Z5mul24jj(i32 %n, i32 %m)
  %c = call i32 @_Z15bitfield_insertiijj(i32 %n, i32 %m, i32 %n, i32 %m)
  %d = call i32 @_Z23bitfield_extract_signedijj(i32 %n, i32 %n, i32 %m)
  ret void
}

; A function of the program's own is not the library's.
; CHECK-LABEL: define i32 @_Z5clampsss(
; CHECK-LABEL: define internal void @own(
; CHECK-NOT: report
; CHECK: ret void
define i32 @_Z5clampsss(i32 %x, i32 %n, i32 %m) {
  ret i32 %x
}
define internal void @own(i32 %n, i32 %m) {
  %a = call i32 @_Z5clampsss(i32 0, i32 %n, i32 %m)
  ret void
}
declare i32 @_Z5clampiii(i32, i32, i32)
declare i32 @_Z5clampjjj(i32, i32, i32)
declare <2 x i32> @_Z5clampDv2_jS_S_(<2 x i32>, <2 x i32>, <2 x i32>)
declare float @_Z5clampfff(float, float, float)
declare float @_Z10smoothstepfff(float, float, float)
declare i32 @_Z3maxii(i32, i32)
declare i32 @_Z5mul24ii(i32, i32)
declare i32 @_Z5mul24jj(i32, i32)
declare i32 @_Z15bitfield_insertiijj(i32, i32, i32, i32)
declare i32 @_Z23bitfield_extract_signedijj(i32, i32, i32)

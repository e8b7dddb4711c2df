; RUN: hostclc --passes=check-arguments %s | FileCheck %s
; A floating-point number has to fit the integer type to which it is converted, after the conversion has rounded it.
; Conversions that saturate accept any number.

; CHECK: c"a number is converted to an integer of 8 bits that cannot hold it\00"
; CHECK: c"a number is converted to an integer of 32 bits that cannot hold it\00"

; -129 and 128 are floats, so they are the bounds: each number between them fits.
; CHECK-LABEL: define spir_kernel void @k(
; CHECK: %[[A:.*]] = fcmp ogt float %x, -1.290000e+02
; CHECK: %[[B:.*]] = fcmp olt float %x, 1.280000e+02
; CHECK: %[[C:.*]] = and i1 %[[A]], %[[B]]
; CHECK: %[[D:.*]] = xor i1 %[[C]], true
; CHECK: br i1 %[[D]]
; CHECK: call void @__hostcl_report(
; CHECK: fptosi float %x to i8
; The bound `least integer - 1` is not a float. The largest float below the least integer is the bound instead.
; CHECK: fcmp ogt float %x, 0xC1E0000020000000
; CHECK: fcmp olt float %x, 0x41E0000000000000
; CHECK: fptosi float %x to i32
; CHECK: fcmp ogt float %x, -1.000000e+00
; CHECK: fcmp olt float %x, 2.560000e+02
; CHECK: fptoui float %x to i8
define spir_kernel void @k(float %x) {
  %a = fptosi float %x to i8
  %b = fptosi float %x to i32
  %c = fptoui float %x to i8
  ret void
}

; CHECK-LABEL: define internal void @calls(
; CHECK: %[[NEAR:.*]] = call float @llvm.rint.f32(float %x)
; CHECK: fcmp ogt float %[[NEAR]], -1.290000e+02
; CHECK: call i8 @_Z16convert_char_rtef(
; CHECK: %[[UP:.*]] = call float @llvm.ceil.f32(float %x)
; CHECK: fcmp ogt float %[[UP]], -1.000000e+00
; CHECK: call i8 @_Z17convert_uchar_rtpf(
; CHECK-NOT: report
; CHECK: call i8 @_Z16convert_char_satf(
; CHECK: call i8 @_Z12convert_chari(
; CHECK-NOT: report
; CHECK: ret void
define internal void @calls(float %x, i32 %n) {
  %a = call i8 @_Z16convert_char_rtef(float %x)
  %b = call i8 @_Z17convert_uchar_rtpf(float %x)
  %c = call i8 @_Z16convert_char_satf(float %x)
  %d = call i8 @_Z12convert_chari(i32 %n)
  ret void
}
declare i8 @_Z16convert_char_rtef(float)
declare i8 @_Z17convert_uchar_rtpf(float)
declare i8 @_Z16convert_char_satf(float)
declare i8 @_Z12convert_chari(i32)

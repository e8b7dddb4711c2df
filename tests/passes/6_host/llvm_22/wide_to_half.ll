; RUN: hostclc --passes='function(wide-to-half)' %s | FileCheck %s
; Integers of more than 64 bits become half by way of float, signed ones as signed; those of 64 bits and fewer, and other
; types of result, are converted at once.

; CHECK-LABEL: define half @signed(
; CHECK: [[F:%.*]] = sitofp i128 %n to float
; CHECK: fptrunc float [[F]] to half
define half @signed(i128 %n) {
  %h = sitofp i128 %n to half
  ret half %h
}

; CHECK-LABEL: define <2 x half> @unsigned(
; CHECK: [[F:%.*]] = uitofp <2 x i65> %n to <2 x float>
; CHECK: fptrunc <2 x float> [[F]] to <2 x half>
define <2 x half> @unsigned(<2 x i65> %n) {
  %h = uitofp <2 x i65> %n to <2 x half>
  ret <2 x half> %h
}

; CHECK-LABEL: define half @narrow(
; CHECK-NEXT: sitofp i64 %n to half
define half @narrow(i64 %n) {
  %h = sitofp i64 %n to half
  ret half %h
}

; CHECK-LABEL: define double @other_result(
; CHECK-NEXT: sitofp i128 %n to double
define double @other_result(i128 %n) {
  %d = sitofp i128 %n to double
  ret double %d
}

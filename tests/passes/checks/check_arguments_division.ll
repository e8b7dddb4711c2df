; RUN: hostclc --passes=check-arguments %s | FileCheck %s
; Divisions of integers by zero, and signed ones of the least number by -1, unless constants rule them out.

; CHECK-DAG: @[[ZERO:.*]] = {{.*}}c"an integer is divided by zero\00"
; CHECK-DAG: @[[LEAST:.*]] = {{.*}}c"the least integer is divided by -1, and the result does not fit\00"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: %[[A:.*]] = icmp eq i32 %m, 0
; CHECK: br i1 %[[A]]
; CHECK: call void @__hostcl_report(i64 0,
; CHECK: udiv i32 %n, %m
; CHECK: %[[B:.*]] = icmp eq i32 %m, 0
; CHECK: br i1 %[[B]]
; CHECK: %[[C:.*]] = icmp eq i32 %n, -2147483648
; CHECK: %[[D:.*]] = icmp eq i32 %m, -1
; CHECK: %[[E:.*]] = and i1 %[[C]], %[[D]]
; CHECK: br i1 %[[E]]
; CHECK: srem i32 %n, %m
; CHECK-NOT: report
; CHECK: udiv i32 %n, 7
; CHECK: sdiv i32 %n, 7
; CHECK: sdiv i32 5, -1
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @k(i32 %n, i32 %m) {
  %a = udiv i32 %n, %m
  %b = srem i32 %n, %m
  %c = udiv i32 %n, 7
  %d = sdiv i32 %n, 7
  %e = sdiv i32 5, -1
  ret void
}

; Any lane of a vector may be wrong.
; CHECK-LABEL: define internal void @vectors(
; CHECK: %[[LANES:.*]] = icmp eq <2 x i64> %m, zeroinitializer
; CHECK: %[[X:.*]] = extractelement <2 x i1> %[[LANES]], i64 0
; CHECK: %[[Y:.*]] = extractelement <2 x i1> %[[LANES]], i64 1
; CHECK: %[[EITHER:.*]] = or i1 %[[X]], %[[Y]]
; CHECK: br i1 %[[EITHER]]
; CHECK: udiv <2 x i64>
define internal void @vectors(<2 x i64> %n, <2 x i64> %m) {
  %a = udiv <2 x i64> %n, %m
  ret void
}

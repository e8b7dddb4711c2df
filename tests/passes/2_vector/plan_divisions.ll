; An integer division is done in floating point if the floating-point quotient is exact. Otherwise inactive lanes divide
; by 1, unless the divisor is a constant with which no division traps.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;no-float_division;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=WHOLE

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: plan of 'divisions
; CHECK: CLONE             %uniform = udiv i32 %m, %m
; CHECK: WIDEN-FLOAT       %narrow = sdiv i32 %x, %m
; CHECK: WIDEN-MASKED      %wide = udiv i64 %y, %i
; CHECK: WIDEN             %seventh = srem i64 %y, 7
; CHECK: WIDEN-MASKED      %negated = sdiv i64 %y, -1
; WHOLE: WIDEN-MASKED      %narrow = sdiv i32 %x, %m
define spir_kernel void @divisions(ptr addrspace(1) %a, i32 %m) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %uniform = udiv i32 %m, %m
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %y = sext i32 %x to i64
  %narrow = sdiv i32 %x, %m
  %wide = udiv i64 %y, %i
  %seventh = srem i64 %y, 7
  %negated = sdiv i64 %y, -1
  %b = add i64 %wide, %seventh
  %c = add i64 %b, %negated
  %d = trunc i64 %c to i32
  %e = add i32 %d, %narrow
  %f = add i32 %e, %uniform
  store i32 %f, ptr addrspace(1) %p
  ret void
}

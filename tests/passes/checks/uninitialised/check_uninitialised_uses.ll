; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Uses that are reported, each with its sentence: addresses, divisors, indices, branches, printf and calls.

; CHECK: c"an uninitialised value of 'v' is an address\00"
; CHECK: c"an uninitialised value of 'v' is a divisor\00"
; CHECK: c"an uninitialised value of 'v' is an index\00"
; CHECK: c"an uninitialised value of 'v' decides a branch\00"
; CHECK: c"an uninitialised value of 'v' is printed\00"
; CHECK: c"an uninitialised value of 'v' is passed to a function\00"

; CHECK-LABEL: define spir_kernel void @uses(
; CHECK: call void @__hostcl_report(
; CHECK: load i32, ptr addrspace(1) %p
; CHECK: call void @__hostcl_report(
; CHECK: udiv i32 7, %narrow
; CHECK: call void @__hostcl_report(
; CHECK: extractelement <4 x i32> %w, i64 %i
; CHECK: call void @__hostcl_report(
; CHECK: switch i64 %i
; CHECK: call void @__hostcl_report(
; CHECK: call i32 (ptr addrspace(2), ...) @printf
; CHECK: call void @__hostcl_report(
; CHECK: call void @f(
; CHECK-NOT: call void @__hostcl_report(
; CHECK: ret void
define spir_kernel void @uses(ptr addrspace(1) %a, <4 x i32> %w, ptr addrspace(2) %format) {
  %v = alloca [1 x i64]
  %i = load i64, ptr %v
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %narrow = trunc i64 %i to i32
  %q = udiv i32 7, %narrow
  %e = extractelement <4 x i32> %w, i64 %i
  switch i64 %i, label %end [ i64 0, label %end ]
end:
  %n = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %format, i64 %i)
  call void @f(i64 %i)
  %s = add i64 %i, 1
  %r = udiv i64 %s, 7
  ret void
}
declare i32 @printf(ptr addrspace(2), ...)
declare void @f(i64)
declare void @__hostcl_report(i64, i64, i64, i64, i64, i64, i64, ptr)

; A branch of another check to its report is not the kernel's.
; CHECK-LABEL: define spir_kernel void @checked(
; CHECK: call void @__hostcl_report(
; CHECK-NOT: call void @__hostcl_report(
; CHECK: ret void
define spir_kernel void @checked() {
  %v = alloca i32
  %x = load i32, ptr %v
  %is_wrong = icmp slt i32 %x, 0
  br i1 %is_wrong, label %report, label %end
report:
  call void @__hostcl_report(i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, ptr null)
  br label %end
end:
  ret void
}

; RUN: hostclc --passes='function(mark-uninitialised,mem2reg,check-uninitialised)' %s | FileCheck %s
; A private variable is reported where its value decides something, if a path without a store leads there.

; CHECK: c"an uninitialised value of 'x' decides a branch\00"
; CHECK: c"an uninitialised value of 'y' is stored in global memory\00"

; CHECK-LABEL: define spir_kernel void @never(
; CHECK: br i1 true, label %[[REPORT:.*]], label
; CHECK: [[REPORT]]:
; CHECK: call void @__hostcl_report(i64 0,
define spir_kernel void @never() {
entry:
  %x = alloca i1
  %c = load i1, ptr %x
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @on_one_path(
; CHECK: end:
; CHECK: %[[SHADOW:.*]] = phi i32 [ 0, %then ], [ -1, %entry ]
; CHECK: %[[WRONG:.*]] = icmp ne i32 %[[SHADOW]], 0
; CHECK: br i1 %[[WRONG]], label
; CHECK: call void @__hostcl_report(
; CHECK: store i32 %{{.*}}, ptr addrspace(1) %a
define spir_kernel void @on_one_path(ptr addrspace(1) %a, i1 %c) {
entry:
  %y = alloca i32
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %y
  br label %end
end:
  %z = load i32, ptr %y
  store i32 %z, ptr addrspace(1) %a
  ret void
}

; A value that decides nothing is none of anyone's business; what is left of it is zero.
; CHECK-LABEL: define spir_kernel void @unused(
; CHECK-NOT: report
; CHECK-NOT: uninitialised.
; CHECK: ret void
define spir_kernel void @unused() {
  %x = alloca i32
  %own = alloca [2 x i32]
  %y = load i32, ptr %x
  %z = add i32 %y, 1
  ret void
}

; CHECK-LABEL: define spir_kernel void @written(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @written(ptr addrspace(1) %a, i1 %c) {
entry:
  %x = alloca i32
  store i32 0, ptr %x
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  %z = load i32, ptr %x
  store i32 %z, ptr addrspace(1) %a
  ret void
}

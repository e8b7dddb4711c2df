; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Private arrays have a shadow, element by element: all bits 1 where they begin, and zeros as contents.

; CHECK: c"an uninitialised value of 'v' is stored in global memory\00"

; CHECK-LABEL: define spir_kernel void @element(
; CHECK: %v.shadow = alloca [4 x i32]
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}%v.shadow, i8 -1, i64 16,
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}%v, i8 0, i64 16,
; CHECK: %[[TO:.*]] = getelementptr float, ptr %v.shadow, i64 %i
; CHECK: store i32 0, ptr %[[TO]]
; CHECK-NEXT: store float %x, ptr %p
; CHECK: %[[FROM:.*]] = getelementptr float, ptr %v.shadow, i64 %j
; CHECK: %y = load float, ptr %q
; CHECK-NEXT: %[[SHADOW:.*]] = load i32, ptr %[[FROM]]
; CHECK: icmp ne i32 %[[SHADOW]], 0
; CHECK: call void @__hostcl_report(
define spir_kernel void @element(ptr addrspace(1) %a, i64 %i, i64 %j, float %x) {
  %v = alloca [4 x float]
  %p = getelementptr float, ptr %v, i64 %i
  store float %x, ptr %p
  %q = getelementptr float, ptr %v, i64 %j
  %y = load float, ptr %q
  store float %y, ptr addrspace(1) %a
  ret void
}

; A variable of a loop's body begins in each iteration.
; CHECK-LABEL: define spir_kernel void @in_a_loop(
; CHECK-NOT: memset
; CHECK: loop:
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}%v.shadow, i8 -1, i64 8,
; CHECK-NOT: lifetime
; CHECK: ret void
define spir_kernel void @in_a_loop(ptr addrspace(1) %a, i64 %i, i1 %more) {
entry:
  %v = alloca [2 x i32]
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  %p = getelementptr i32, ptr %v, i64 %i
  %x = load i32, ptr %p
  store i32 %x, ptr addrspace(1) %a
  call void @llvm.lifetime.end.p0(i64 8, ptr %v)
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What is uninitialised may be copied from one private place to another without a finding.
; CHECK-LABEL: define spir_kernel void @moved(
; CHECK-NOT: report
; CHECK: %[[MOVED:.*]] = load i32, ptr %v.shadow
; CHECK: store i32 %[[MOVED]], ptr %w.shadow
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @moved() {
  %v = alloca [2 x i32]
  %w = alloca [2 x i32]
  %x = load i32, ptr %v
  store i32 %x, ptr %w
  ret void
}

; RUN: hostclc --passes='function(mark-uninitialised)' %s | FileCheck %s
; Variables that become values begin as marked ones, wherever they begin; arrays whose elements are addressed are followed
; in memory instead.

; CHECK-LABEL: define spir_kernel void @variables(
; CHECK: %x.unwritten = call i32 @__hostcl_uninitialised.i32()
; CHECK-NEXT: store i32 %x.unwritten, ptr %x.addr
; CHECK-NOT: uninitialised
; CHECK: ret void
define spir_kernel void @variables(i64 %i) {
  %x.addr = alloca i32
  %v = alloca [4 x i32]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %p
  %y = load i32, ptr %x.addr
  ret void
}

; In a loop, each iteration has a new one.
; CHECK-LABEL: define spir_kernel void @in_a_loop(
; CHECK: call i32 @__hostcl_uninitialised.i32()
; CHECK: loop:
; CHECK-NEXT: call void @llvm.lifetime.start
; CHECK-NEXT: %[[NEW:.*]] = call i32 @__hostcl_uninitialised.i32()
; CHECK-NEXT: store i32 %[[NEW]], ptr %x
define spir_kernel void @in_a_loop(i1 %more) {
entry:
  %x = alloca i32
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  %y = load i32, ptr %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

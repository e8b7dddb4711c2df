; RUN: hostclc --passes='function(certain-bounds)' %s | FileCheck %s --check-prefixes=CHECK,ALONE
; RUN: hostclc --passes='function(certain-bounds<check-uninitialised>)' %s | FileCheck %s --check-prefixes=CHECK,SHADOW
; Accesses to private variables, and those that are wrong for certain, are checked before other passes make use of what is
; undefined. `check-bounds` does not check them again.

; CHECK-LABEL: define spir_kernel void @variable(
; CHECK: br i1 %right
; CHECK: store i32 1, ptr %p, align 4, !hostcl.in_bounds
; CHECK: call void @__hostcl_report(i64 %position,
; CHECK: br i1 false
; CHECK: store i32 2, ptr %behind
; CHECK: call void @__hostcl_report(i64 16,
; CHECK-NOT: __hostcl_report
; CHECK: ret void
define spir_kernel void @variable(i64 %i, i64 %n) {
  %v = alloca [4 x i32]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %p
  %behind = getelementptr i32, ptr %v, i64 4
  store i32 2, ptr %behind
  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @loop(
; CHECK: %right = icmp ult i64 %position, 17
; CHECK: store i32 1, ptr %p, align 4, !hostcl.in_bounds
define spir_kernel void @loop() {
  %v = alloca [5 x i32]
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %goes_on = icmp ule i64 %i, 5
  br i1 %goes_on, label %body, label %end
body:
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %p
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @checked(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @checked(i64 %i) {
  %v = alloca [5 x i32]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %p, !hostcl.in_bounds !0
  ret void
}

; The size of an argument's object is known when the kernel runs.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @argument(ptr addrspace(1) %a) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 -1
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK-NOT: report
; CHECK: ret void
define void @function() {
  %v = alloca i32
  %behind = getelementptr i32, ptr %v, i64 1
  store i32 2, ptr %behind
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; The shadow of local memory is in local memory as well: if values are checked for being uninitialised, the access is
; guarded early, and later its shadow is inside of the same guard.
; CHECK-LABEL: define spir_kernel void @local(
; ALONE-NOT: br
; ALONE: store i32 1
; ALONE-NEXT: ret void
; SHADOW: br i1 %right
; SHADOW: store i32 1, ptr addrspace(3) %p, align 4, !hostcl.in_bounds
; SHADOW: call void @__hostcl_report(
define spir_kernel void @local(i64 %i) {
  %p = getelementptr i32, ptr addrspace(3) @array, i64 %i
  store i32 1, ptr addrspace(3) %p
  ret void
}

@array = internal addrspace(3) global [4 x i32] poison

!0 = !{}

; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Intervals of sums and products of ids and arguments. An interval is invalid for a group in which the computation may
; wrap.

declare i64 @__hostcl_local_id(i32)
declare i64 @__hostcl_group_id(i32)
declare i64 @__hostcl_local_size(i32)

; The largest local id is one below the size; the group's id is known exactly.
; CHECK-LABEL: define spir_kernel void @global_id(
; CHECK: %[[GROUP:.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK: %[[SIZE:.*]] = call i64 @__hostcl_local_size(i32 0)
; CHECK: %[[MOST:.*]] = sub i64 %{{.*}}, 1
; CHECK: call { i64, i1 } @llvm.sadd.with.overflow.i64(
; CHECK: %[[CHECKED_LOW:.*]] = icmp sge i64 %{{.*}}, %low
; CHECK: icmp ult i64 %{{.*}}, %limit
; CHECK: body.checked:
define spir_kernel void @global_id(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_local_size(i32 0)
  br label %body
body:
  %start = mul i64 %g, %s
  %at = add i64 %start, %i
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A 32-bit sum that is extended must not wrap in 32 bits.
; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK-DAG: icmp sge i64 %{{.*}}, -2147483648
; CHECK-DAG: icmp sle i64 %{{.*}}, 2147483647
; CHECK: body.checked:
define spir_kernel void @narrow(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  br label %body
body:
  %sum = add i32 %n, %m
  %wide = sext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A zero extension equals its operand only if the operand is not negative.
; CHECK-LABEL: define spir_kernel void @unsigned(
; CHECK: %[[N:.*]] = sext i32 %n to i64
; CHECK: icmp sge i64 %[[N]], 0
; CHECK: body.checked:
define spir_kernel void @unsigned(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %body
body:
  %wide = zext i32 %n to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A byte that was loaded has the interval of its type.
; CHECK-LABEL: define spir_kernel void @byte(
; CHECK: icmp sge i64 0, %low
; CHECK: sub i64 1020, %low
; CHECK: body.checked:
define spir_kernel void @byte(ptr addrspace(1) %a, ptr %own) {
entry:
  br label %body
body:
  %n = load i8, ptr %own
  %wide = zext i8 %n to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 1, ptr addrspace(1) %p
  ret void
}

; The interval of the type of a loaded 32-bit word is too large to be useful.
; CHECK-LABEL: define spir_kernel void @word(
; CHECK-NOT: body.checked
; CHECK: ret void
define spir_kernel void @word(ptr addrspace(1) %a, ptr %own) {
entry:
  br label %body
body:
  %n = load i32, ptr %own
  %wide = zext i32 %n to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 1, ptr addrspace(1) %p
  ret void
}

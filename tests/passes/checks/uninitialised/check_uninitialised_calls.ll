; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; What passes between lanes passes with its shadow; mathematics spreads it over the whole number; queries are written.

declare i32 @__hostcl_sub_group_shuffle_i32(i32, i32)
declare i32 @__hostcl_sub_group_reduce_add_i32(i32)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.bswap.i32(i32)
declare i64 @__hostcl_local_id(i32)

; CHECK-LABEL: define spir_kernel void @lanes(
; CHECK: %[[X:.*]] = load i32, ptr %v.shadow
; CHECK: call i32 @__hostcl_sub_group_shuffle_i32(i32 %x, i32 %n)
; CHECK-NEXT: call i32 @__hostcl_sub_group_shuffle_i32(i32 %[[X]], i32 %n)
; CHECK: call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
; CHECK-NEXT: call i32 @__hostcl_sub_group_reduce_or_i32(i32 %[[X]])
define spir_kernel void @lanes(i32 %n) {
  %v = alloca [1 x i32]
  %x = load i32, ptr %v
  %y = call i32 @__hostcl_sub_group_shuffle_i32(i32 %x, i32 %n)
  %z = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
  ret void
}

; CHECK-LABEL: define spir_kernel void @functions(
; CHECK: %[[X:.*]] = load i32, ptr %v.shadow
; CHECK: %[[SOME:.*]] = icmp ne i32 %[[X]], 0
; CHECK: sext i1 %[[SOME]] to i32
; CHECK: call i32 @llvm.bswap.i32(i32 %b)
; CHECK-NEXT: call i32 @llvm.bswap.i32(i32 %[[X]])
define spir_kernel void @functions() {
  %v = alloca [1 x float]
  %x = load float, ptr %v
  %y = call float @llvm.sqrt.f32(float %x)
  %b = bitcast float %x to i32
  %z = call i32 @llvm.bswap.i32(i32 %b)
  ret void
}

; CHECK-LABEL: define spir_kernel void @query(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @query(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  store i64 %i, ptr addrspace(1) %a
  ret void
}

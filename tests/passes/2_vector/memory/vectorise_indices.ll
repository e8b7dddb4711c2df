; `int i = get_global_id(0)` is consecutive: ids are below 2^31, and signed arithmetic on them does not wrap.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) memory(none)
declare i64 @__hostcl_global_offset(i32) memory(none)

; CHECK-LABEL: @neighbour
; CHECK-NOT: gather
; CHECK: call <4 x float> @llvm.masked.load
; CHECK: call void @llvm.masked.store
define spir_kernel void @neighbour(ptr addrspace(1) %a, i32 %row) {
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_enqueued_local_size(i32 0)
  %l = call i64 @__hostcl_local_id(i32 0)
  %o = call i64 @__hostcl_global_offset(i32 0)
  %start = mul i64 %g, %s
  %sum = add i64 %start, %l
  %id = add i64 %sum, %o
  %i = trunc i64 %id to i32
  %j = add nsw i32 %i, -1
  %k = add nsw i32 %j, %row
  %k64 = sext i32 %k to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %k64
  %x = load float, ptr addrspace(1) %p
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i64
  store float %x, ptr addrspace(1) %q
  ret void
}

; This sum could wrap between two lanes, which is asked before the access.
; CHECK-LABEL: @may_wrap
; CHECK: %[[FITS:.*]] = icmp ule i32 %k, -4
; CHECK: br i1 %[[FITS]], label %[[ROW:row[0-9]*]], label %scattered
; CHECK: [[ROW]]:
; CHECK: call <4 x float> @llvm.masked.load
; CHECK: scattered:
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: joined:
; CHECK: phi <4 x float>
define spir_kernel void @may_wrap(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %row) {
  %l = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %l to i32
  %k = add i32 %i, %row
  %k64 = zext i32 %k to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %k64
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %l
  store float %x, ptr addrspace(1) %q
  ret void
}

; (int)x: a row, unless the 32 bits wrap between two lanes.
; CHECK-LABEL: @extended
; CHECK: trunc i64 %{{.*}} to i32
; CHECK: br i1 %{{.*}}, label %row, label %scattered
define spir_kernel void @extended(ptr addrspace(1) %out, i64 %base) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %i = add i64 %x, %base
  %low = trunc i64 %i to i32
  %index = sext i32 %low to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 7, ptr addrspace(1) %p
  ret void
}

; A constant expression is extended as other uniform values are.
@table = addrspace(2) constant [4 x i32] zeroinitializer
; CHECK-LABEL: @constant_expression
; CHECK: sext i32 ptrtoint (ptr addrspace(2) @table to i32) to i64
; CHECK-NOT: poison
; CHECK: call void @llvm.masked.store
define spir_kernel void @constant_expression(ptr addrspace(1) %a) {
  %l = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %l to i32
  %k = add nsw i32 %i, ptrtoint (ptr addrspace(2) @table to i32)
  %k64 = sext i32 %k to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %k64
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; Wide accesses with gaps, and narrow gathers.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @every_second
; CHECK: %[[MASK:.*]] = shufflevector <4 x i1> %mask, <4 x i1> zeroinitializer, <8 x i32> <i32 0, i32 4, i32 1, i32 4, i32 2, i32 4, i32 3, i32 4>
; CHECK: %[[ALL:.*]] = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) align 4 %p, <8 x i1> %[[MASK]]
; CHECK: shufflevector <8 x float> %[[ALL]], <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
define spir_kernel void @every_second(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = shl i64 %i, 1
  %p = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; A gap of many elements is not read.
; CHECK-LABEL: @far_apart
; CHECK: @llvm.masked.gather
define spir_kernel void @far_apart(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = mul i64 %i, 17
  %p = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; Bytes are gathered with the aligned words around them.
; CHECK-LABEL: @table
; CHECK: and <4 x i64> %{{.*}}, splat (i64 -4)
; CHECK: %[[WORDS:.*]] = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4
; CHECK: lshr <4 x i32> %[[WORDS]]
; CHECK: trunc <4 x i32> %{{.*}} to <4 x i8>
define spir_kernel void @table(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %index, i64 %i
  %k = load i64, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %in, i64 %k
  %v = load i8, ptr addrspace(1) %q
  %r = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %v, ptr addrspace(1) %r
  ret void
}

; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; Conversions and bit casts of all lanes at once, in the lanes' own width; an id is spread over the lanes before it is one.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @numbers
; CHECK: %f = sitofp <4 x i32> %n to <4 x float>
; CHECK: %h = fptrunc <4 x float> %f to <4 x half>
; CHECK: %b = bitcast <4 x half> %h to <4 x i16>
; CHECK: %w = sext <4 x i16> %b to <4 x i64>
; CHECK: call void @llvm.masked.store.v4i64
define spir_kernel void @numbers(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %n = load i32, ptr addrspace(1) %p
  %f = sitofp i32 %n to float
  %h = fptrunc float %f to half
  %b = bitcast half %h to i16
  %w = sext i16 %b to i64
  %q = getelementptr i64, ptr addrspace(1) %o, i64 %i
  store i64 %w, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @id
; CHECK: %[[LANES:.*]] = add <4 x i64> %{{.*}}, <i64 0, i64 1, i64 2, i64 3>
; CHECK: uitofp <4 x i64> %[[LANES]] to <4 x float>
define spir_kernel void @id(ptr addrspace(1) %o) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %f = uitofp i64 %i to float
  %q = getelementptr float, ptr addrspace(1) %o, i64 %i
  store float %f, ptr addrspace(1) %q
  ret void
}

; A bit cast between a number and a short vector keeps each lane's bits together.
; CHECK-LABEL: @parts
; CHECK: bitcast <4 x i32> %n to <16 x i8>
define spir_kernel void @parts(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %n = load i32, ptr addrspace(1) %p
  %b = bitcast i32 %n to <4 x i8>
  %m = add <4 x i8> %b, splat (i8 1)
  store <4 x i8> %m, ptr addrspace(1) %p
  ret void
}

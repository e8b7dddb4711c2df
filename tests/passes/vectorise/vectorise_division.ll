; Integer division is done in floating point where that is exact.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @remainder
; CHECK-DAG: %[[A:.*]] = uitofp <4 x i32> %x to <4 x double>
; CHECK-DAG: %[[B:.*]] = uitofp <4 x i32> %{{.*}} to <4 x double>
; CHECK: %[[REAL:.*]] = fdiv <4 x double> %[[A]], %[[B]]
; CHECK: %[[Q:.*]] = fptoui <4 x double> %[[REAL]] to <4 x i32>
; CHECK: %[[M:.*]] = mul <4 x i32> %[[Q]]
; CHECK: sub <4 x i32> %x, %[[M]]
define spir_kernel void @remainder(ptr addrspace(1) %a, i32 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %z = urem i32 %x, %d
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; The code generator multiplies by the inverse of a constant.
; CHECK-LABEL: @by_constant
; CHECK: sdiv <4 x i32> %x, splat (i32 10)
define spir_kernel void @by_constant(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %z = sdiv i32 %x, 10
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; Where no floating-point type is exact, every lane has a divisor that cannot trap.
; CHECK-LABEL: @long
; CHECK: %[[SAFE:.*]] = select <4 x i1> %mask, <4 x i64> %y, <4 x i64> splat (i64 1)
; CHECK: sdiv <4 x i64> splat (i64 100), %[[SAFE]]
define spir_kernel void @long(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %y = load i64, ptr addrspace(1) %p
  %z = sdiv i64 100, %y
  store i64 %z, ptr addrspace(1) %p
  ret void
}

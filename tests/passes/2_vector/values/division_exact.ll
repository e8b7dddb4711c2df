; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=4;no-float_division>' %s | FileCheck %s --check-prefix=WITHOUT
; A quotient is computed in the smallest floating-point type whose mantissa holds the dividend; remainders are what is left of
; it. A constant divisor is left to the code generator.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @bytes
; CHECK: uitofp <4 x i8> %{{.*}} to <4 x float>
; CHECK: fdiv <4 x float>
; CHECK: fptoui <4 x float> %{{.*}} to <4 x i8>
; WITHOUT-LABEL: @bytes
; WITHOUT-NOT: fdiv
; WITHOUT: udiv <4 x i8>
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %x = load i8, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %i
  %y = load i8, ptr addrspace(1) %q
  %z = udiv i8 %x, %y
  store i8 %z, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @remainders
; CHECK: %[[X:.*]] = sitofp <4 x i32> %x to <4 x double>
; CHECK: %[[Y:.*]] = sitofp <4 x i32> %y to <4 x double>
; CHECK: %[[Q:.*]] = fdiv <4 x double> %[[X]], %[[Y]]
; CHECK: %[[N:.*]] = fptosi <4 x double> %[[Q]] to <4 x i32>
; CHECK: %[[M:.*]] = mul <4 x i32> %[[N]], %y
; CHECK: sub <4 x i32> %x, %[[M]]
; CHECK-NOT: fdiv
; CHECK: urem <4 x i32> %{{.*}}, splat (i32 10)
; CHECK: ret void
define spir_kernel void @remainders(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %y = load i32, ptr addrspace(1) %q
  %r = srem i32 %x, %y
  %digit = urem i32 %r, 10
  store i32 %digit, ptr addrspace(1) %p
  ret void
}

; 64 bits fit no mantissa: lanes that are not active divide by one.
; CHECK-LABEL: @long_numbers
; CHECK-NOT: fdiv
; CHECK: %[[SAFE:.*]] = select <4 x i1> %mask, <4 x i64> %y, <4 x i64> splat (i64 1)
; CHECK: udiv <4 x i64> %x, %[[SAFE]]
define spir_kernel void @long_numbers(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %i
  %y = load i64, ptr addrspace(1) %q
  %z = udiv i64 %x, %y
  store i64 %z, ptr addrspace(1) %p
  ret void
}

; Integer division is done in floating point where that is exact.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=4;long-conversions>' %s | FileCheck %s --check-prefix=LONG

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @remainder
; CHECK-DAG: %[[A:.*]] = uitofp <4 x i32> %x to <4 x double>
; CHECK-DAG: %[[B:.*]] = uitofp <4 x i32> %d to <4 x double>
; CHECK: %[[REAL:.*]] = fdiv <4 x double> %[[A]], %[[B]]
; CHECK: %[[Q:.*]] = fptoui <4 x double> %[[REAL]] to <4 x i32>
; CHECK: %[[M:.*]] = mul <4 x i32> %[[Q]], %d
; CHECK: sub <4 x i32> %x, %[[M]]
define spir_kernel void @remainder(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %d = load i32, ptr addrspace(1) %q
  %z = urem i32 %x, %d
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; A divisor that all lanes share has one inverse.
; CHECK-LABEL: @by_argument
; CHECK: %[[REAL:.*]] = uitofp i32 %d to double
; CHECK: %[[INVERSE:.*]] = fdiv double 1.000000e+00, %[[REAL]]
; CHECK: %[[MORE:.*]] = fmul double %[[INVERSE]], 0x3FF0000000000004
; CHECK: fmul <4 x double> %{{.*}}, %{{.*}}
; CHECK: %[[Q:.*]] = fptoui <4 x double> %{{.*}} to <4 x i32>
; CHECK: freeze <4 x i32> %[[Q]]
define spir_kernel void @by_argument(ptr addrspace(1) %a, i32 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %z = udiv i32 %x, %d
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; So has one that is the same but where the quotient is open,
; CHECK-LABEL: @total
; CHECK: sitofp i32 %d to double
; CHECK: fdiv double
; CHECK-NOT: fdiv <4 x double>
; CHECK: ret void
define spir_kernel void @total(ptr addrspace(1) %a, i32 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %d, 0
  %least = icmp eq i32 %x, -2147483648
  %minus = icmp eq i32 %d, -1
  %overflows = and i1 %least, %minus
  %bad = or i1 %zero, %overflows
  %safe = select i1 %bad, i32 1, i32 %d, !hostcl.guarded_divisor !0
  %z = sdiv i32 %x, %safe
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; but not one that the program chooses.
; CHECK-LABEL: @chosen
; CHECK: fdiv <4 x double>
define spir_kernel void @chosen(ptr addrspace(1) %a, i32 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %first = icmp eq i32 %x, 7
  %choice = select i1 %first, i32 1, i32 %d
  %z = sdiv i32 %x, %choice
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; 64 bits are few enough if they are known to be few.
; LONG-LABEL: @ids
; LONG: fdiv double
; LONG-NOT: fdiv <4 x double>
; LONG: ret void
define spir_kernel void @ids(ptr addrspace(1) %a, i64 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %z = udiv i64 %i, %d
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  store i64 %z, ptr addrspace(1) %p
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

; LONG-LABEL: @signed_ids
; LONG: sitofp i64 %d to double
; LONG-NOT: sdiv
; LONG: ret void
define spir_kernel void @signed_ids(ptr addrspace(1) %a, i64 %d) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %z = srem i64 %i, %d
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  store i64 %z, ptr addrspace(1) %p
  ret void
}

!0 = !{}

; High halves of products of 64 bits are made of products of 32 bits.
; RUN: hostclc --passes='vectorise<width=8>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @unsigned_high
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <8 x i64>
; CHECK: ret void
define spir_kernel void @unsigned_high(ptr addrspace(1) %a, i64 %y) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = zext i64 %x to i128
  %wide.y = zext i64 %y to i128
  %product = mul nuw i128 %wide.x, %wide.y
  %high = lshr i128 %product, 64
  %result = trunc i128 %high to i64
  store i64 %result, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @signed_high
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <8 x i64>
; CHECK-COUNT-2: sub <8 x i64>
; CHECK: ret void
define spir_kernel void @signed_high(ptr addrspace(1) %a, i64 %y) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = sext i64 %x to i128
  %wide.y = sext i64 %y to i128
  %product = mul nsw i128 %wide.x, %wide.y
  %high = lshr i128 %product, 64
  %result = trunc i128 %high to i64
  store i64 %result, ptr addrspace(1) %p
  ret void
}

; A factor may be a constant, or a narrower number, and the high half may be shifted further, as quotients by constants are.
; CHECK-LABEL: @by_constant
; CHECK-NOT: i128
; CHECK: mul <8 x i64> %{{.*}}, splat (i64 3435973837)
; CHECK: lshr <8 x i64> %{{.*}}, splat (i64 3)
; CHECK: ret void
define spir_kernel void @by_constant(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = zext i64 %x to i128
  %product = mul nuw i128 %wide.x, 14757395258967641293
  %high = lshr i128 %product, 67
  %result = trunc nuw i128 %high to i64
  store i64 %result, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @by_narrow_number
; CHECK-NOT: i128
; CHECK: ashr <8 x i64>
; CHECK: ret void
define spir_kernel void @by_narrow_number(ptr addrspace(1) %a, i32 %y) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = sext i64 %x to i128
  %wide.y = zext nneg i32 %y to i128
  %product = mul nsw i128 %wide.x, %wide.y
  %high = ashr i128 %product, 66
  %result = trunc i128 %high to i64
  store i64 %result, ptr addrspace(1) %p
  ret void
}

; Neither a constant of more than 64 bits, nor bits from the middle of a product.
; CHECK-LABEL: @no_high_half
; CHECK: mul <8 x i128>
; CHECK: mul <8 x i128>
; CHECK: ret void
define spir_kernel void @no_high_half(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = zext i64 %x to i128
  %product = mul i128 %wide.x, 36893488147419103233
  %high = lshr i128 %product, 64
  %result = trunc i128 %high to i64
  %other = mul i128 %wide.x, 14757395258967641293
  %middle = lshr i128 %other, 32
  %part = trunc i128 %middle to i64
  %both = xor i64 %result, %part
  store i64 %both, ptr addrspace(1) %p
  ret void
}

; High halves that are compared are numbers of 64 bits as well, once later passes have seen the extensions.
; CHECK-LABEL: @compared
; CHECK-NOT: mul <8 x i128>
; CHECK: %[[HIGH:.*]] = zext <8 x i64> %{{[0-9]+}} to <8 x i128>
; CHECK: icmp ult <8 x i128> %[[HIGH]]
; CHECK: ret void
define spir_kernel void @compared(ptr addrspace(1) %a, i64 %y) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %wide.x = zext i64 %x to i128
  %wide.y = zext i64 %y to i128
  %product = mul nuw i128 %wide.x, %wide.y
  %high = lshr i128 %product, 64
  %less = icmp ult i128 %high, %wide.x
  %result = trunc nuw i128 %high to i64
  %chosen = select i1 %less, i64 %result, i64 %y
  store i64 %chosen, ptr addrspace(1) %p
  ret void
}

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

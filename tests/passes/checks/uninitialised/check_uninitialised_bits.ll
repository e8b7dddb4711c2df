; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Bits that an operation takes away, or sets, are not missed: masks, shifts and comparisons for equality are exact.

; CHECK-LABEL: define spir_kernel void @masks(
; CHECK: %[[X:.*]] = load i32, ptr %v.shadow
; CHECK: %a = and i32 %x, 255
; CHECK: and i32 %[[X]], 255
; CHECK: %b = or i32 %x, 255
; CHECK: and i32 %[[X]], -256
; CHECK: %c = shl i32 %x, 3
; CHECK: shl i32 %[[X]], 3
; CHECK: %d = lshr i32 %x, 24
; CHECK: lshr i32 %[[X]], 24
; CHECK: %e = trunc i32 %x to i8
; CHECK: trunc i32 %[[X]] to i8
; CHECK: %f = sext i8 %e to i32
; CHECK: sext i8 %{{.*}} to i32
; CHECK: ret void
define spir_kernel void @masks(ptr addrspace(1) %o) {
  %v = alloca [1 x i32]
  %x = load i32, ptr %v
  %a = and i32 %x, 255
  %b = or i32 %x, 255
  %c = shl i32 %x, 3
  %d = lshr i32 %x, 24
  %e = trunc i32 %x to i8
  %f = sext i8 %e to i32
  ret void
}

; Two numbers differ for certain if they differ in a bit that is known.
; CHECK-LABEL: define spir_kernel void @equal(
; CHECK: %[[X:.*]] = load i32, ptr %v.shadow
; CHECK: %[[DIFFERENCE:.*]] = xor i32 %x, %n
; CHECK: %[[KNOWN:.*]] = xor i32 %[[X]], -1
; CHECK: %[[BITS:.*]] = and i32 %[[DIFFERENCE]], %[[KNOWN]]
; CHECK: %[[OPEN:.*]] = icmp ne i32 %[[X]], 0
; CHECK: %[[NONE:.*]] = icmp eq i32 %[[BITS]], 0
; CHECK: and i1 %[[OPEN]], %[[NONE]]
define spir_kernel void @equal(i32 %n) {
  %v = alloca [1 x i32]
  %x = load i32, ptr %v
  %c = icmp eq i32 %x, %n
  ret void
}

; Whether a number is negative its sign alone tells.
; CHECK-LABEL: define spir_kernel void @sign(
; CHECK: %[[X:.*]] = load i32, ptr %v.shadow
; CHECK: %c = icmp slt i32 %x, 0
; CHECK: icmp slt i32 %[[X]], 0
; CHECK: %d = icmp slt i32 %x, 5
; CHECK: icmp ne i32 %[[X]], 0
define spir_kernel void @sign() {
  %v = alloca [1 x i32]
  %x = load i32, ptr %v
  %c = icmp slt i32 %x, 0
  %d = icmp slt i32 %x, 5
  ret void
}

; A choice by an unknown condition is open where both differ.
; CHECK-LABEL: define spir_kernel void @choice(
; CHECK: %[[C:.*]] = load i1, ptr %v.shadow
; CHECK: %[[DIFFERENCE:.*]] = xor i32 %n, %m
; CHECK: select i1 %[[C]], i32 %[[DIFFERENCE]], i32 0
define spir_kernel void @choice(i32 %n, i32 %m) {
  %v = alloca [1 x i1]
  %c = load i1, ptr %v
  %x = select i1 %c, i32 %n, i32 %m
  ret void
}

; Straight code on bytes alone: what is computed with 32 bits takes two registers. Bytes that are only chosen from fill one.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK: define spir_kernel void @scale({{.*}}) #[[WIDE:[0-9]+]]
; CHECK: mul <16 x i32>
define spir_kernel void @scale(ptr addrspace(1) %a, i32 %c) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %byte = load i8, ptr addrspace(1) %p
  %x = zext i8 %byte to i32
  %y = mul i32 %x, %c
  %z = lshr i32 %y, 8
  %result = trunc i32 %z to i8
  store i8 %result, ptr addrspace(1) %p
  ret void
}

declare i8 @llvm.umin.i8(i8, i8)

; CHECK: define spir_kernel void @least({{.*}}) #[[BYTES:[0-9]+]]
; CHECK: umin.v32i8
define spir_kernel void @least(ptr addrspace(1) %a, i64 %width) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %width
  %upper = load i8, ptr addrspace(1) %p
  %lower = load i8, ptr addrspace(1) %q
  %least = call i8 @llvm.umin.i8(i8 %upper, i8 %lower)
  store i8 %least, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #[[WIDE]] = { "hostcl.width"="16" }
; CHECK-DAG: attributes #[[BYTES]] = { "hostcl.width"="32" }

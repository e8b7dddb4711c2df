; RUN: hostclc --passes='function(lower-printf)' %s | FileCheck %s
; The arguments of printf go to one block on the stack, each behind a header: kind, bytes of an element, elements.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@format = private addrspace(2) constant [8 x i8] c"%d %v3f\00"

; Headers are little-endian bytes: kind 1 (integer), 4 bytes, 1 element; kind 2 (real), 4 bytes, 3 elements.
; CHECK-LABEL: define i32 @print(
; CHECK: %[[BLOCK:.*]] = alloca [48 x i8], align 8
; CHECK: store i64 66561, ptr %{{.*}}, align 8
; CHECK: store i32 %x, ptr %{{.*}}, align 4
; CHECK: store i64 197634, ptr %{{.*}}, align 8
; CHECK-COUNT-3: store float
; CHECK: store i64 0, ptr %{{.*}}, align 8
; CHECK: %[[RESULT:.*]] = call i32 @__hostcl_printf(ptr addrspace(2) @format, ptr %[[BLOCK]])
; CHECK: ret i32 %[[RESULT]]
define i32 @print(i32 %x, <3 x float> %v) {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x, <3 x float> %v)
  ret i32 %result
}

declare i32 @printf(ptr addrspace(2), ...)

; The functions on images become code for formats and samplers.
; RUN: hostclc --passes=image-calls %s | FileCheck %s

; One copy for each combination of what is known; both calls with the same facts have the same.
; CHECK-LABEL: define spir_kernel void @known(
; CHECK-NEXT: call i32 @"read.0=10b5.10d2s,1=10"(ptr addrspace(2) %a, i64 16)
; CHECK-NEXT: call i32 @"read.0=10b5.10d2s,1=10"(ptr addrspace(2) %b, i64 %s)
; CHECK-NEXT: call i32 @"read.0=10b0.10da,1=10"(ptr addrspace(2) %c, i64 %s)
; Two images with the same facts: it does not matter which.
; CHECK: call i32 @"read.0=10b5.10d2s,1=10"(ptr addrspace(2) %either, i64 16)
; What is not asked for makes no copies.
; CHECK: call i32 @width.(ptr addrspace(2) %a)
; CHECK: call i32 @width.(ptr addrspace(2) %c)
define spir_kernel void @known(ptr addrspace(2) %a, ptr addrspace(2) %b, ptr addrspace(2) %c, i64 %s, i1 %which)
    "hostcl.image_properties"="0=10b5.10d2s,1=10b5.10d2s,2=10b0.10da,3=10" {
  call i32 @read(ptr addrspace(2) %a, i64 16)
  call i32 @read(ptr addrspace(2) %b, i64 %s)
  call i32 @read(ptr addrspace(2) %c, i64 %s)
  %either = select i1 %which, ptr addrspace(2) %a, ptr addrspace(2) %b
  call i32 @read(ptr addrspace(2) %either, i64 16)
  call i32 @width(ptr addrspace(2) %a)
  call i32 @width(ptr addrspace(2) %c)
  ret void
}

; Images of different formats, a sampler from memory, and no facts at all: the function asks the image.
; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK: call i32 @read(ptr addrspace(2) %either, i64 16)
; CHECK: call i32 @read(ptr addrspace(2) %a, i64 %loaded)
; CHECK: call i32 @width.(ptr addrspace(2) %either)
define spir_kernel void @unknown(ptr addrspace(2) %a, ptr addrspace(2) %c, i1 %which, ptr addrspace(1) %from)
    "hostcl.image_properties"="0=10b5.10d2s,1=10b0.10da" {
  %either = select i1 %which, ptr addrspace(2) %a, ptr addrspace(2) %c
  call i32 @read(ptr addrspace(2) %either, i64 16)
  %loaded = load i64, ptr addrspace(1) %from
  call i32 @read(ptr addrspace(2) %a, i64 %loaded)
  call i32 @width(ptr addrspace(2) %either)
  ret void
}

; CHECK-LABEL: define spir_kernel void @without_properties(
; CHECK: call i32 @read(ptr addrspace(2) %a, i64 16)
define spir_kernel void @without_properties(ptr addrspace(2) %a) {
  call i32 @read(ptr addrspace(2) %a, i64 16)
  ret void
}

; The general form loads what it asks for.
; CHECK-LABEL: define internal i32 @read(ptr addrspace(2) %image, i64 %sampler)
; CHECK: [[ORDER_AT:%.+]] = getelementptr inbounds i8, ptr addrspace(2) %image, i64 40
; CHECK-NEXT: [[ORDER:%.+]] = load i16, ptr addrspace(2) [[ORDER_AT]], align 2, !invariant.load
; CHECK-NEXT: zext i16 [[ORDER]] to i32
; CHECK: [[TYPE_AT:%.+]] = getelementptr inbounds i8, ptr addrspace(2) %image, i64 42
; CHECK: [[SMALL_AT:%.+]] = getelementptr inbounds i8, ptr addrspace(2) %image, i64 52
define internal i32 @read(ptr addrspace(2) %image, i64 %sampler) noinline "hostcl.image_call"="is" {
  %order = call i32 @__hostcl_image_order(ptr addrspace(2) %image)
  %type = call i32 @__hostcl_image_type(ptr addrspace(2) %image)
  %small = call i1 @__hostcl_image_is_small(ptr addrspace(2) %image)
  %bits = trunc i64 %sampler to i32
  %sum = add i32 %order, %type
  %both = add i32 %sum, %bits
  %result = select i1 %small, i32 %both, i32 0
  ret i32 %result
}

; CHECK-LABEL: define internal i32 @width(
define internal i32 @width(ptr addrspace(2) %image) noinline "hostcl.image_call"="i" {
  %at = getelementptr inbounds i8, ptr addrspace(2) %image, i64 24
  %width = load i32, ptr addrspace(2) %at
  ret i32 %width
}

; CHECK-LABEL: define internal i32 @"read.0=10b5.10d2s,1=10"(
; CHECK-SAME: #[[INLINED:[0-9]+]]
; CHECK-NEXT: ret i32 8599
; CHECK-LABEL: define internal i32 @"read.0=10b0.10da,1=10"(
; CHECK-NEXT: ret i32 0
; CHECK-LABEL: define internal i32 @width.(
; CHECK: load i32, ptr addrspace(2) %at, align 4, !invariant.load
; CHECK: #[[INLINED]] = { alwaysinline }

declare i32 @__hostcl_image_order(ptr addrspace(2))
declare i32 @__hostcl_image_type(ptr addrspace(2))
declare i1 @__hostcl_image_is_small(ptr addrspace(2))

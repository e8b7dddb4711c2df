; Loaded numbers are added as they come, where the program adds them later and in another order.
; RUN: hostclc --passes='function(ordered-sums)' %s | FileCheck %s

; CHECK-LABEL: @late
; CHECK: %a = load i32
; CHECK: %b = load i32
; CHECK-NEXT: %[[S1:.*]] = add i32 %{{.*}}, %{{.*}}
; CHECK: %c = load i32
; CHECK-NEXT: %[[S2:.*]] = add i32 %[[S1]], %c
; CHECK: %d = load i32
; CHECK-NEXT: %[[S3:.*]] = add i32 %[[S2]], %d
; CHECK-NEXT: store i32 %[[S3]]
define spir_kernel void @late(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %pb = getelementptr i32, ptr addrspace(1) %in, i64 10
  %b = load i32, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %in, i64 20
  %c = load i32, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %in, i64 30
  %d = load i32, ptr addrspace(1) %pd
  %s = add nsw i32 %c, %d
  %t = add i32 %b, %s
  %u = add i32 %a, %t
  store i32 %u, ptr addrspace(1) %out
  ret void
}

; A tree, whose depth may be what counts, and a sum that is used on the way.
; CHECK-LABEL: @refused
; CHECK: %s = add i32 %c, %d
; CHECK-NEXT: %t = add i32 %a, %b
; CHECK-NEXT: %u = add i32 %s, %t
; CHECK: %v = add i32 %c, %d
; CHECK-NEXT: store i32 %v
; CHECK-NEXT: %w = add i32 %b, %v
; CHECK-NEXT: %x = add i32 %a, %w
define spir_kernel void @refused(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) %in
  %pb = getelementptr i32, ptr addrspace(1) %in, i64 10
  %b = load i32, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %in, i64 20
  %c = load i32, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %in, i64 30
  %d = load i32, ptr addrspace(1) %pd
  %s = add i32 %c, %d
  %t = add i32 %a, %b
  %u = add i32 %s, %t
  store i32 %u, ptr addrspace(1) %out
  %v = add i32 %c, %d
  store i32 %v, ptr addrspace(1) %out
  %w = add i32 %b, %v
  %x = add i32 %a, %w
  store i32 %x, ptr addrspace(1) %out
  ret void
}

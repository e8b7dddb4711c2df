; RUN: hostclc --passes='function(print<provenance>)' %s 2>&1 >/dev/null | FileCheck %s
; Variables of each kind, with the size of their type, and how far from their start an access is.

@k.tile = internal addrspace(3) global [8 x i32] undef
@counter = internal addrspace(1) global [2 x i64] zeroinitializer

; CHECK: k:
; CHECK-NEXT: store 1, %last: in %v, from 0, size 24, at 20
; CHECK-NEXT: store 2, @k.tile: in @k.tile, from 0, size 32, at 0
; CHECK-NEXT: %x: in @counter, from 0, size 16, at 8
; CHECK-NEXT: %y: in %r, from 0, size 12, at 4
; CHECK-NEXT: store 3, null: in null, from 0, size 0, at 0
; CHECK-NOT: {{.}}
define spir_kernel void @k(ptr byval([3 x i32]) %r) {
  %v = alloca [6 x i32]
  %last = getelementptr i32, ptr %v, i64 5
  store i32 1, ptr %last
  store i32 2, ptr addrspace(3) @k.tile
  %c = getelementptr i64, ptr addrspace(1) @counter, i64 1
  %x = load i64, ptr addrspace(1) %c
  %m = getelementptr i32, ptr %r, i64 1
  %y = load i32, ptr %m
  store i32 3, ptr addrspace(1) null
  ret void
}

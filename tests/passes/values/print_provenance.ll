; RUN: hostclc --passes='function(print<provenance>)' %s 2>&1 >/dev/null | FileCheck %s

@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; CHECK: k:
; CHECK-NEXT: %x: in @table, from 0, size 16, at 8
; CHECK-NEXT: store %x, %p: in %p, from %{{.*}}, size %{{.*}}, at 0
; CHECK-NEXT: store 0, %either: in one of several, from %{{.*}}, size %{{.*}}, at 0
define spir_kernel void @k(i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = getelementptr i32, ptr addrspace(2) @table, i64 2
  %x = load i32, ptr addrspace(2) %a
  store i32 %x, ptr addrspace(1) %p
  %either = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %q
  store i32 0, ptr addrspace(1) %either
  ret void
}

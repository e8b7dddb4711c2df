; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Local memory: an argument begins where it points to, a variable has the size of its type, and findings tell a position.

@k.tile = internal addrspace(3) global [8 x float] undef

; CHECK-LABEL: define spir_kernel void @argument(
; CHECK-NOT: object_low
; CHECK: %size = call i64 @__hostcl_object_size(i32 0)
; CHECK-NOT: object_low
; CHECK: call void @__hostcl_report(i64 %position{{[0-9.a-z]*}},
; CHECK: ret void
define spir_kernel void @argument(ptr addrspace(3) %t, i64 %i) {
  %p = getelementptr float, ptr addrspace(3) %t, i64 %i
  store float 1.0, ptr addrspace(3) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @variable(
; CHECK: icmp ult i64 %position{{[0-9]*}}, 29
; CHECK: call void @__hostcl_report(i64 %position{{[0-9.a-z]*}},
define spir_kernel void @variable(i64 %i) {
  %p = getelementptr float, ptr addrspace(3) @k.tile, i64 %i
  store float 1.0, ptr addrspace(3) %p
  ret void
}

; One of two: an address would say nothing, so that the position is told here as well.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK-NOT: ptrtoint
; CHECK: call void @__hostcl_report(i64 %position{{[0-9.a-z]*}},
; CHECK: ret void
define spir_kernel void @either(ptr addrspace(3) %t, i64 %i, i1 %c) {
  %tile = select i1 %c, ptr addrspace(3) %t, ptr addrspace(3) @k.tile
  %p = getelementptr float, ptr addrspace(3) %tile, i64 %i
  store float 1.0, ptr addrspace(3) %p
  ret void
}

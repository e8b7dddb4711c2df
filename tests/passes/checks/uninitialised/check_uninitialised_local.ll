; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Local memory is unwritten when a group begins: its first work-item says so, and a barrier keeps the others until then.

; CHECK-DAG: @k.tile = internal addrspace(3) global [4 x float]
; CHECK-DAG: @shadow.tile = internal addrspace(3) global [4 x i32] undef, align 64
@k.tile = internal addrspace(3) global [4 x float] undef, align 64

; CHECK-LABEL: define spir_kernel void @variable(
; CHECK: %[[X:.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK: %[[Y:.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK: %[[Z:.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK: %[[FIRST:.*]] = icmp eq i64 %{{.*}}, 0
; CHECK: br i1 %[[FIRST]], label %[[SET:.*]], label %[[ALL:.*]]
; CHECK: [[SET]]:
; CHECK: call void @llvm.memset{{.*}}(ptr addrspace(3) {{.*}}@shadow.tile, i8 -1, i64 16,
; CHECK: [[ALL]]:
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: store i32 0, ptr addrspace(3) %
; CHECK: load i32, ptr addrspace(3) @shadow.tile
; CHECK: call void @__hostcl_report(
define spir_kernel void @variable(ptr addrspace(1) %a, i64 %i) {
  %p = getelementptr float, ptr addrspace(3) @k.tile, i64 %i
  store float 1.0, ptr addrspace(3) %p
  %x = load float, ptr addrspace(3) @k.tile
  store float %x, ptr addrspace(1) %a
  ret void
}

; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; A value that waits in the context has its own type's room and alignment: bits, halves, vectors of three, i128, pointers and
; structures; what the kernel has in the context already stays in front.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare <3 x float> @make_vector(i64)
declare i1 @make_bit(i64)
declare i128 @make_wide(i64)
declare ptr addrspace(3) @make_pointer(i64)
declare void @use_vector(<3 x float>)
declare void @use_bit(i1)
declare void @use_wide(i128)
declare void @use_pointer(ptr addrspace(3))

; CHECK-LABEL: define {{.*}}void @vector(
; CHECK-SAME: [[VECTOR:#[0-9]+]]
; CHECK: store <3 x float> %{{.*}}, ptr %{{.*}}, align 16
; CHECK: load <3 x float>, ptr %{{.*}}, align 16
define spir_kernel void @vector() "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %v = call <3 x float> @make_vector(i64 %x)
  call void @__hostcl_barrier(i32 1)
  call void @use_vector(<3 x float> %v)
  ret void
}

; CHECK-LABEL: define {{.*}}void @bit(
; CHECK-SAME: [[BIT:#[0-9]+]]
; CHECK: store i1 %{{.*}}, ptr %{{.*}}, align 1
; CHECK: load i1, ptr %{{.*}}, align 1
define spir_kernel void @bit() "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %v = call i1 @make_bit(i64 %x)
  call void @__hostcl_barrier(i32 1)
  call void @use_bit(i1 %v)
  ret void
}

; CHECK-LABEL: define {{.*}}void @wide(
; CHECK-SAME: [[VECTOR]]
; CHECK: mul nuw nsw i64 %{{.*}}, 16
; CHECK: store i128
define spir_kernel void @wide() "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %v = call i128 @make_wide(i64 %x)
  call void @__hostcl_barrier(i32 1)
  call void @use_wide(i128 %v)
  ret void
}

; Of an address and the pointer that it comes from, only the one that is used waits. 4096 bytes are taken already.
; CHECK-LABEL: define {{.*}}void @pointer(
; CHECK-SAME: [[POINTER:#[0-9]+]]
; CHECK: call ptr @__hostcl_context()
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 4096
; CHECK: [[MADE:%.*]] = getelementptr i8, ptr addrspace(3) %{{.*}}, i64 12
; CHECK: store ptr addrspace(3) [[MADE]], ptr
; CHECK: [[Q:%.*]] = load ptr addrspace(3), ptr
; CHECK: call void @use_pointer(ptr addrspace(3) [[Q]])
define spir_kernel void @pointer() "hostcl.dimensions"="1" "hostcl.context_fixed"="4096" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = call ptr addrspace(3) @make_pointer(i64 %x)
  %q = getelementptr i8, ptr addrspace(3) %p, i64 12
  call void @__hostcl_barrier(i32 1)
  call void @use_pointer(ptr addrspace(3) %q)
  ret void
}

; CHECK-DAG: attributes [[VECTOR]] = {{.*}}"hostcl.context_per_chunk"="16"
; CHECK-DAG: attributes [[BIT]] = {{.*}}"hostcl.context_per_chunk"="1"
; CHECK-DAG: attributes [[POINTER]] = {{.*}}"hostcl.context_fixed"="4{{[0-9]+}}" "hostcl.context_per_chunk"="8"

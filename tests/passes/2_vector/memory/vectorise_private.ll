; Private arrays: where all lanes use one index, an element of all lanes is a row.
; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"

declare i64 @__hostcl_local_id(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: @rows
; CHECK: %v = alloca [128 x i8], align 64
; CHECK: %[[IN_ONE:.*]] = mul i64 %i{{.*}}, 4
; CHECK: %[[OFFSET:.*]] = mul i64 %[[IN_ONE]], 4
; CHECK: %[[ROW:.*]] = getelementptr i8, ptr %v, i64 %[[OFFSET]]
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> {{.*}}, ptr {{.*}}%[[ROW]]
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(
; CHECK-NOT: gather
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %k) {
entry:
  %v = alloca [8 x float]
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr [8 x float], ptr %v, i64 0, i64 %i
  store float %value, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %fill, label %use
use:
  %at = getelementptr float, ptr %v, i64 %k
  %a = load float, ptr %at
  %result = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %a, ptr addrspace(1) %result
  ret void
}

; An index of each lane's own: elements of the lanes' own columns.
; CHECK-LABEL: @columns
; CHECK: alloca [128 x i8], align 64
; CHECK-NOT: @llvm.memset
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 1 %v
; CHECK: getelementptr i8, <4 x ptr>
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32
define spir_kernel void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = alloca [8 x i32]
  call void @llvm.memset.p0.i64(ptr %v, i8 0, i64 32, i1 false)
  %x = call i64 @__hostcl_local_id(i32 0)
  %from = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %k = load i64, ptr addrspace(1) %from
  %at = getelementptr i32, ptr %v, i64 %k
  store i32 7, ptr %v
  %a = load i32, ptr %at
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %a, ptr addrspace(1) %result
  ret void
}

; Accesses of several sizes: a copy for each lane, one after the other.
; CHECK-LABEL: @mixed
; CHECK: alloca [64 x i8]
; CHECK: gather
define spir_kernel void @mixed(ptr addrspace(1) %out, i64 %k) {
  %v = alloca [4 x i32]
  store i32 1, ptr %v
  %second = getelementptr i32, ptr %v, i64 %k
  store i16 2, ptr %second
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = load i32, ptr %second
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %a, ptr addrspace(1) %result
  ret void
}

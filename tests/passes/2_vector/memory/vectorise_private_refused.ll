; RUN: hostclc --passes='function(vectorise<width=4>)' %s 2>&1 | FileCheck %s
; Private arrays lie element by element only if every access is of one size at a multiple of it: else each lane has a copy of its
; own, far enough from the next for its alignment; arrays of a size that varies have no copies.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @keep(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK: variable_size: not vectorised: {{.*}}a private array of variable size

; Two sizes: copies of 16 bytes, four of them.
; CHECK-LABEL: define {{.*}}void @two_sizes(
; CHECK: alloca [64 x i8], align 64{{$}}
; CHECK: getelementptr i8, ptr %array, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
define spir_kernel void @two_sizes(ptr addrspace(1) %out, i64 %k) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %array = alloca [4 x i32]
  %b = getelementptr i8, ptr %array, i64 %k
  store i64 %x, ptr %array
  %v = load i32, ptr %b
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Also if all of them are at the start.
; CHECK-LABEL: define {{.*}}void @two_sizes_at_start(
; CHECK: getelementptr i8, ptr %array, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p0(
define spir_kernel void @two_sizes_at_start(ptr addrspace(1) %out) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %array = alloca [4 x i32]
  store i64 %x, ptr %array
  %v = load i32, ptr %array
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Elements of 12 bytes with an alignment of 32 are 32 apart.
; CHECK-LABEL: define {{.*}}void @own_alignment(
; CHECK: alloca [128 x i8], align 64{{$}}
; CHECK: ret void
define spir_kernel void @own_alignment() {
  %array = alloca [3 x i32], align 32
  call void @keep(ptr %array)
  ret void
}

; A volatile access is of the program's layout.
; CHECK-LABEL: define {{.*}}void @volatile(
; CHECK: alloca [64 x i8], align 64{{$}}
define spir_kernel void @volatile(i64 %k) {
  %array = alloca [4 x i32]
  %p = getelementptr i32, ptr %array, i64 %k
  store volatile i32 1, ptr %p
  ret void
}

; All of one size, at multiples of it, with a memset that is written out: element k of all lanes is one row.
; CHECK-LABEL: define {{.*}}void @one_size(
; CHECK: %array = alloca [64 x i8], align 64
; CHECK-NOT: @llvm.memset
; CHECK: mul i64 %{{.*}}, 4
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(
define spir_kernel void @one_size(ptr addrspace(1) %out, i64 %k) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %array = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr align 4 %array, i8 7, i64 16, i1 false)
  %b = getelementptr i32, ptr %array, i64 %k
  %v = load i32, ptr %b
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @variable_size(i32 %n) {
  %array = alloca i32, i32 %n
  call void @keep(ptr %array)
  ret void
}

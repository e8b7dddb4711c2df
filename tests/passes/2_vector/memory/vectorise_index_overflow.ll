; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; Lanes are consecutive in memory only if no index wraps between two of them: 32-bit sums that may wrap are tested at run time,
; narrower ones have an address for each lane, and a low part of an id that is known not to carry is consecutive.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; x is a multiple of 8 in the first lane, so the three low bits carry nowhere.
; CHECK-LABEL: define {{.*}}void @low_bits(
; CHECK-NOT: gather
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p1(
; CHECK-NOT: scatter
; CHECK: ret void
define spir_kernel void @low_bits(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %low = and i64 %x, 7
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %low
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Three bits of x + 1 wrap in the last lane.
; CHECK-LABEL: define {{.*}}void @low_bits_of_next(
; CHECK: and <8 x i64> %{{.*}}, splat (i64 7)
; CHECK: gather
; CHECK: ret void
define spir_kernel void @low_bits_of_next(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %next = add i64 %x, 1
  %low = and i64 %next, 7
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %low
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; A sum of 32 bits may wrap as unsigned number if it begins in the last seven.
; CHECK-LABEL: define {{.*}}void @unsigned_sum(
; CHECK: [[FITS:%.*]] = icmp ule i32 %sum, -8
; CHECK: br i1 [[FITS]], label %row{{.*}}, label %scattered
define spir_kernel void @unsigned_sum(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %x to i32
  %sum = add i32 %i, %n
  %wide = zext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %v = load i32, ptr addrspace(1) %p
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p
  ret void
}

; As signed number, if the last lane is above the largest; downwards, if it is below the least.
; CHECK-LABEL: define {{.*}}void @signed_sums(
; CHECK-DAG: icmp sle i32 %sum, 2147483640
; CHECK-DAG: icmp sge i32 %down, -2147483641
; CHECK: ret void
define spir_kernel void @signed_sums(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %x to i32
  %sum = add i32 %i, %n
  %wide = sext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %v = load i32, ptr addrspace(1) %p
  %down = sub i32 %n, %i
  %wide.down = sext i32 %down to i64
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %wide.down
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Sixteen bits wrap too often to ask: each lane has its own address.
; CHECK-LABEL: define {{.*}}void @narrow(
; CHECK-NOT: icmp ule i16
; CHECK: zext <8 x i16>
; CHECK: gather
; CHECK: ret void
define spir_kernel void @narrow(ptr addrspace(1) %a, ptr addrspace(1) %b, i16 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %x to i16
  %sum = add i16 %i, %n
  %wide = zext i16 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

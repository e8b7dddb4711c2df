; An index that is clamped between uniform borders is a row where no lane is clamped.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=4;no-clamped_indices>' %s | FileCheck %s --check-prefix=WITHOUT

declare i64 @__hostcl_local_id(i32) memory(none)

; The lane next to each border is asked, and whether the index wraps between lanes.
; CHECK-LABEL: @clamped
; CHECK: %[[X:.*]] = add i32 %{{.*}}, -1
; CHECK: %[[LOW:.*]] = call i32 @llvm.smax.i32(i32 %[[X]], i32 0)
; CHECK: %[[LAST:.*]] = add i32 %[[X]], 3
; CHECK: %[[INSIDE:.*]] = icmp sle i32 0, %[[X]]
; CHECK: %[[RISES:.*]] = icmp sle i32 %[[X]], %[[LAST]]
; CHECK: %[[ABOVE:.*]] = and i1 %[[INSIDE]], %[[RISES]]
; CHECK: %[[INDEX:.*]] = call i32 @llvm.smin.i32(i32 %[[LOW]], i32 %last)
; CHECK: %[[LAST_LOW:.*]] = add i32 %[[LOW]], 3
; CHECK: icmp sle i32 %[[LAST_LOW]], %last
; CHECK: br i1 %{{.*}}, label %row, label %scattered
; CHECK: row:
; CHECK: call <4 x float> @llvm.masked.load
; CHECK: scattered:
; CHECK: call <4 x float> @llvm.masked.gather
; WITHOUT-LABEL: @clamped
; WITHOUT-NOT: icmp sle i32 0,
define spir_kernel void @clamped(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %before = add nsw i32 %x, -1
  %low = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %c = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %wide = sext i32 %c to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; A falling index: the first lane is the highest.
; WITHOUT-LABEL: @falling
; CHECK-LABEL: @falling
; CHECK: %[[X:.*]] = sub i64 %n, %{{.*}}
; CHECK: %[[LAST:.*]] = add i64 %[[X]], -3
; CHECK: icmp ule i64 %[[X]], %last
; CHECK: icmp ule i64 %[[LAST]], %[[X]]
; CHECK: br i1 %{{.*}}, label %row, label %scattered
define spir_kernel void @falling(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %last) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = sub i64 %n, %i
  %c = call i64 @llvm.umin.i64(i64 %last, i64 %x)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %c
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; As a number, it is what it is in each lane.
; CHECK-LABEL: @number
; CHECK-NOT: range(
; CHECK: call <4 x i32> @llvm.smin.v4i32(
; CHECK: sitofp <4 x i32>
define spir_kernel void @number(ptr addrspace(1) %out, i32 %last) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %c = call range(i32 0, 100) i32 @llvm.smin.i32(i32 range(i32 0, 100) %x, i32 %last)
  %f = sitofp i32 %c to float
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %f, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)

; Addresses that are likely to follow each other are asked when the program runs.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; A 32-bit index is compared as it is; it must not wrap between two lanes.
; CHECK-LABEL: @masked
; CHECK: %[[LANES:.*]] = freeze <4 x i32> %c
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %[[LANES]], i64 0
; CHECK: %[[EQUAL:.*]] = icmp eq <4 x i32> %[[LANES]]
; CHECK: select <4 x i1> %mask, <4 x i1> %[[EQUAL]], <4 x i1> splat (i1 true)
; CHECK: %[[RANGE:.*]] = icmp sle i32 %[[FIRST]], 2147483644
; CHECK: br i1 %{{.*}}, label %row, label %scattered
; CHECK: row:
; CHECK: %[[A:.*]] = call <4 x float> @llvm.masked.load
; CHECK: scattered:
; CHECK: %[[B:.*]] = call <4 x float> @llvm.masked.gather
; CHECK: joined:
; CHECK: phi <4 x float> [ %[[A]], %row ], [ %[[B]], %scattered ]
define spir_kernel void @masked(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %c = and i32 %x, %last
  %wide = sext i32 %c to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @row_of_image
; The number of the row is likely the same for all lanes: one load, of an active lane.
; CHECK: %[[SAME:.*]] = icmp eq <4 x i64>
; CHECK: row:
; CHECK-NEXT: load float, ptr addrspace(1)
; CHECK: scattered:
; CHECK: @llvm.masked.gather
define spir_kernel void @row_of_image(ptr addrspace(1) %rows, ptr addrspace(1) %out, i64 %width) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %y = udiv i64 %i, %width
  %p = getelementptr float, ptr addrspace(1) %rows, i64 %y
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; What comes from memory is not guessed.
; CHECK-LABEL: @indirect
; CHECK-NOT: scattered:
; CHECK: ret void
define spir_kernel void @indirect(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %index, i64 %i
  %k = load i64, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %in, i64 %k
  %v = load float, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %r
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)

; A guessed row under a condition asks for no active lane: without any it is a row that stores nothing, which costs less
; than a jump that is not foreseen.
; CHECK-LABEL: @conditional
; CHECK-NOT: br i1
; CHECK: br i1 %{{.*}}, label %row, label %scattered
; CHECK: row:
; CHECK: @llvm.masked.store
define spir_kernel void @conditional(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %c = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %wide = sext i32 %c to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %then, label %done
then:
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %v, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

; The 32-bit index is what is asked, also where the address lies a constant step after that of the index.
; CHECK-LABEL: @wrapped_left_neighbour
; CHECK: icmp eq <4 x i32>
; CHECK-NOT: icmp eq <4 x i64>
; CHECK: br i1 %{{.*}}, label %row, label %scattered
; CHECK: row:
; CHECK-NEXT: @llvm.masked.load
define spir_kernel void @wrapped_left_neighbour(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %first = icmp eq i32 %x, 0
  %k = select i1 %first, i32 %n, i32 %x
  %wide = sext i32 %k to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %left = getelementptr i8, ptr addrspace(1) %p, i64 -4
  %v = load i32, ptr addrspace(1) %left
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Lanes seldom lie on both sides of a border: the neighbour on the left, or the work-item itself.
; CHECK-LABEL: @left_neighbour
; CHECK: row:
; CHECK-NEXT: @llvm.masked.load
; CHECK: scattered:
; CHECK: @llvm.masked.gather
define spir_kernel void @left_neighbour(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %first) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = trunc i64 %i to i32
  %inside = icmp sgt i32 %x, %first
  %step = sext i1 %inside to i32
  %left = add i32 %x, %step
  %wide = sext i32 %left to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

declare float @llvm.fma.f32(float, float, float)

; A place on a line is likely a row, one that is a product of two varying numbers, or has nothing of the index, is not.
; CHECK-LABEL: @on_a_line
; CHECK: label %row, label %scattered
define spir_kernel void @on_a_line(ptr addrspace(1) %in, ptr addrspace(1) %out, float %a, float %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = uitofp i64 %i to float
  %y = call float @llvm.fma.f32(float %x, float %a, float %b)
  %k = fptosi float %y to i32
  %wide = sext i32 %k to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @on_a_curve
; CHECK-NOT: scattered:
; CHECK-LABEL: @from_memory
; CHECK-NOT: scattered:
; CHECK: ret void
define spir_kernel void @on_a_curve(ptr addrspace(1) %in, ptr addrspace(1) %out, float %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = uitofp i64 %i to float
  %y = call float @llvm.fma.f32(float %x, float %x, float %b)
  %k = fptosi float %y to i32
  %wide = sext i32 %k to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @from_memory(ptr addrspace(1) %in, ptr addrspace(1) %out, float %a, float %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  %x = load float, ptr addrspace(1) %q
  %y = call float @llvm.fma.f32(float %x, float %a, float %b)
  %k = fptosi float %y to i32
  %wide = sext i32 %k to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %q
  ret void
}

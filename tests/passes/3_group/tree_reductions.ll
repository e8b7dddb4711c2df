; RUN: hostclc --passes='function(tree-reductions)' %s | FileCheck %s
; RUN: hostclc --passes='function(tree-reductions<no-tree_reductions>)' %s | FileCheck %s --check-prefix=WITHOUT
; A tree reduction in local memory becomes vector code that one work-item runs.
; WITHOUT-NOT: label %reduction

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_local_size(i32) memory(none)
declare void @__hostcl_barrier(i32) convergent
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.sadd.sat.i32(i32, i32)

; Offsets that are halved.
; CHECK-LABEL: define spir_kernel void @halves(
; CHECK:       %[[SIZE:.*]] = call i64 @__hostcl_local_size(i32 0)
; CHECK:       %[[N:.*]] = zext i32 %half to i64
; CHECK:       icmp ule i64 %[[N]], %[[SIZE]]
; CHECK:       icmp uge i64 %[[N]], 16
; CHECK:       br i1 %{{.*}}, label %reduction, label %loop
; CHECK:       loop:
; CHECK:       reduction:
; CHECK-NEXT:    call void @__hostcl_barrier(i32 0)
; CHECK:         %[[FIRST:.*]] = icmp eq i32 %{{.*}}, 0
; CHECK-NEXT:    br i1 %[[FIRST]], label %[[CALL:.*]], label %[[END:.*]]
; CHECK:       [[CALL]]:
; CHECK-NEXT:    call void @[[SUM:tree_reduction.*]](ptr addrspace(3) %t, i64 %[[N]])
; CHECK:       [[END]]:
; CHECK-NEXT:    call void @__hostcl_barrier(i32 0)
; CHECK-NEXT:    br label %exit
define spir_kernel void @halves(ptr addrspace(3) %t, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %i = sext i32 %l to i64
  %mine = getelementptr float, ptr addrspace(3) %t, i64 %i
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %o, %l
  %j = sext i32 %s to i64
  %other = getelementptr float, ptr addrspace(3) %t, i64 %j
  %b = load float, ptr addrspace(3) %other
  %a = load float, ptr addrspace(3) %mine
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = lshr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Offsets that are doubled.
; CHECK-LABEL: define spir_kernel void @doubles(
; CHECK:       icmp eq i64 %size, %{{.*}}
; CHECK:       br i1 %{{.*}}, label %reduction, label %loop
; CHECK:       call void @[[MAXIMUM:tree_reduction.*]](ptr addrspace(3) %t, i64 %size)
define spir_kernel void @doubles(ptr addrspace(3) %t) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %size = call i64 @__hostcl_local_size(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ 1, %entry ], [ %next, %latch ]
  call void @__hostcl_barrier(i32 1)
  %next = shl nsw i32 %o, 1
  %mask = add i32 %next, -1
  %rest = and i32 %mask, %l
  %part = icmp eq i32 %rest, 0
  br i1 %part, label %add, label %latch
add:
  %w = zext i32 %o to i64
  %other = getelementptr i32, ptr addrspace(3) %mine, i64 %w
  %a = load i32, ptr addrspace(3) %mine
  %b = load i32, ptr addrspace(3) %other
  %c = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  store i32 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  %n = zext nneg i32 %next to i64
  %more = icmp ugt i64 %size, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Saturated sums.
; CHECK-LABEL: define spir_kernel void @saturates(
; CHECK:       br i1 %{{.*}}, label %reduction, label %loop
; CHECK:       call void @[[SATURATED:tree_reduction.*]](ptr addrspace(3) %t, i64 %{{.*}})
define spir_kernel void @saturates(ptr addrspace(3) %t, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %i = sext i32 %l to i64
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %i
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  call void @__hostcl_barrier(i32 1)
  %part = icmp ult i32 %l, %o
  br i1 %part, label %add, label %latch
add:
  %w = zext i32 %o to i64
  %other = getelementptr i32, ptr addrspace(3) %mine, i64 %w
  %a = load i32, ptr addrspace(3) %mine
  %b = load i32, ptr addrspace(3) %other
  %c = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  store i32 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  %next = lshr i32 %o, 1
  %more = icmp ugt i32 %o, 1
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not changed: a step in which work-items do something else as well.
; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-NOT: tree
; CHECK: ret void
define spir_kernel void @counts(ptr addrspace(3) %t, ptr addrspace(1) %count, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr float, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %w = zext i32 %o to i64
  %other = getelementptr float, ptr addrspace(3) %mine, i64 %w
  %b = load float, ptr addrspace(3) %other
  %a = load float, ptr addrspace(3) %mine
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  store i32 %o, ptr addrspace(1) %count
  %next = lshr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Not changed: a difference, whose operands have an order; and groups of two dimensions.
; CHECK-LABEL: define spir_kernel void @subtracts(
; CHECK-NOT: tree
; CHECK: ret void
define spir_kernel void @subtracts(ptr addrspace(3) %t, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr float, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %w = zext i32 %o to i64
  %other = getelementptr float, ptr addrspace(3) %mine, i64 %w
  %b = load float, ptr addrspace(3) %other
  %a = load float, ptr addrspace(3) %mine
  %c = fsub float %a, %b
  store float %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = lshr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @two_dimensions(
; CHECK-NOT: tree
; CHECK: ret void
define spir_kernel void @two_dimensions(ptr addrspace(3) %t, i32 %half) #1 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr float, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %w = zext i32 %o to i64
  %other = getelementptr float, ptr addrspace(3) %mine, i64 %w
  %b = load float, ptr addrspace(3) %other
  %a = load float, ptr addrspace(3) %mine
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = lshr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Not changed: the first offset depends on the path to the loop; 8-bit offsets may be negative; elements are vectors, or
; have padding bits.
; CHECK-LABEL: define spir_kernel void @entered_twice(
; CHECK-NOT:   label %reduction
define spir_kernel void @entered_twice(ptr addrspace(3) %t, i32 %half, i1 %whole) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  br i1 %whole, label %first, label %second
first:
  br label %loop
second:
  br label %loop
loop:
  %o = phi i32 [ %half, %first ], [ 64, %second ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %o, %l
  %j = sext i32 %s to i64
  %other = getelementptr i32, ptr addrspace(3) %t, i64 %j
  %b = load i32, ptr addrspace(3) %other
  %a = load i32, ptr addrspace(3) %mine
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = ashr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @offsets_of_bytes(
; CHECK-NOT:   label %reduction
define spir_kernel void @offsets_of_bytes(ptr addrspace(3) %t, i8 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i8 [ %half, %entry ], [ %next, %latch ]
  %w = sext i8 %o to i32
  %part = icmp sgt i32 %w, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %w, %l
  %j = sext i32 %s to i64
  %other = getelementptr i32, ptr addrspace(3) %t, i64 %j
  %b = load i32, ptr addrspace(3) %other
  %a = load i32, ptr addrspace(3) %mine
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = ashr i8 %o, 1
  %done = icmp eq i8 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @vectors(
; CHECK-NOT:   label %reduction
define spir_kernel void @vectors(ptr addrspace(3) %t, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr <2 x i32>, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %o, %l
  %j = sext i32 %s to i64
  %other = getelementptr <2 x i32>, ptr addrspace(3) %t, i64 %j
  %b = load <2 x i32>, ptr addrspace(3) %other
  %a = load <2 x i32>, ptr addrspace(3) %mine
  %c = add <2 x i32> %a, %b
  store <2 x i32> %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = ashr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @odd_bits(
; CHECK-NOT:   label %reduction
define spir_kernel void @odd_bits(ptr addrspace(3) %t, i32 %half) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr i24, ptr addrspace(3) %t, i64 %id
  br label %loop
loop:
  %o = phi i32 [ %half, %entry ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %o, %l
  %j = sext i32 %s to i64
  %other = getelementptr i24, ptr addrspace(3) %t, i64 %j
  %b = load i24, ptr addrspace(3) %other
  %a = load i24, ptr addrspace(3) %mine
  %c = add i24 %a, %b
  store i24 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = ashr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Not changed: the first offset is computed in a loop that work-items leave after different iterations (temporal
; divergence).
; CHECK-LABEL: define spir_kernel void @left_by_a_loop(
; CHECK-NOT:   label %reduction
define spir_kernel void @left_by_a_loop(ptr addrspace(3) %t, i32 %n) #0 {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %l = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  br label %search
search:
  %k = phi i32 [ %n, %entry ], [ %half, %search ]
  %half = add i32 %k, %n
  %again = icmp slt i32 %half, %l
  br i1 %again, label %search, label %loop
loop:
  %o = phi i32 [ %half, %search ], [ %next, %latch ]
  %part = icmp sgt i32 %o, %l
  br i1 %part, label %add, label %latch
add:
  %s = add nsw i32 %o, %l
  %j = sext i32 %s to i64
  %other = getelementptr i32, ptr addrspace(3) %t, i64 %j
  %b = load i32, ptr addrspace(3) %other
  %a = load i32, ptr addrspace(3) %mine
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @__hostcl_barrier(i32 1)
  %next = ashr i32 %o, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Vectors are added until one vector is left, and then its lanes are added. All other elements of the array keep their
; values.
; CHECK:       define internal void @[[SUM]](ptr addrspace(3) %[[T:.*]], i64 %[[HALF:.*]]) #
; CHECK:         %[[OFFSET:.*]] = phi i64 [ %[[HALF]], %entry ]
; CHECK:         %[[NEAR:.*]] = load <16 x float>, ptr addrspace(3) %{{.*}}, align 4
; CHECK:         %[[FAR:.*]] = load <16 x float>, ptr addrspace(3) %{{.*}}, align 4
; CHECK:         %[[TOTAL:.*]] = fadd <16 x float> %[[NEAR]], %[[FAR]]
; CHECK:         store <16 x float> %[[TOTAL]]
; CHECK:         %[[NEXT:.*]] = lshr i64 %[[OFFSET]], 1
; CHECK:         icmp uge i64 %[[NEXT]], 16
; CHECK:         %[[LAST:.*]] = load <16 x float>
; CHECK:         shufflevector <16 x float> %[[LAST]], <16 x float> {{.*}}, <16 x i32> <i32 8, i32 9, i32 10,
; CHECK:         shufflevector {{.*}} <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 8,
; CHECK:         store <16 x float>
; CHECK:         ret void

; First the steps within each vector, then the steps between vectors.
; CHECK:       define internal void @[[MAXIMUM]](
; CHECK:         %[[V:.*]] = load <16 x i32>
; CHECK:         shufflevector <16 x i32> %[[V]], <16 x i32> {{.*}}, <16 x i32> <i32 1, i32 2, i32 3,
; CHECK:         call <16 x i32> @llvm.smax.v16i32(
; CHECK:         shufflevector {{.*}} <16 x i32> <i32 16, i32 1, i32 18, i32 3,
; CHECK:         store <16 x i32>
; CHECK:         load i32
; CHECK:         load i32
; CHECK:         call i32 @llvm.smax.i32(
; CHECK:         store i32

attributes #0 = { "hostcl.dimensions"="1" }
attributes #1 = { "hostcl.dimensions"="2" }

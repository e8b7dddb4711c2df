; RUN: hostclc --passes=group-size-agnostic %s | FileCheck %s
; RUN: hostclc --passes='group-size-agnostic<no-group_size_agnostic>' %s | FileCheck %s --check-prefix=WITHOUT
; RUN: hostclc --passes='group-size-agnostic<check-bounds>' %s | FileCheck %s --check-prefix=WITHOUT
; Kernels whose work-items cannot tell their groups may run in any, and say how many rows of work-items suit them.
; WITHOUT-NOT: hostcl.group_rows

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_local_size(i32) memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) memory(none)
declare void @__hostcl_barrier(i32)

; Lanes side by side, and nothing else.
; CHECK: define spir_kernel void @copies({{.*}}) #[[ROW:[0-9]+]]
define spir_kernel void @copies(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %gx = call i64 @__hostcl_group_id(i32 0)
  %sx = call i64 @__hostcl_enqueued_local_size(i32 0)
  %bx = mul i64 %gx, %sx
  %lx = call i64 @__hostcl_local_id(i32 0)
  %x = add i64 %bx, %lx
  %gy = call i64 @__hostcl_group_id(i32 1)
  %sy = call i64 @__hostcl_enqueued_local_size(i32 1)
  %by = mul i64 %gy, %sy
  %ly = call i64 @__hostcl_local_id(i32 1)
  %y = add i64 %by, %ly
  %row = mul i64 %y, %n
  %i = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; Bytes have more lanes than groups of 16 x 16 have in a row.
; CHECK: define spir_kernel void @copies_bytes({{.*}}) #[[BYTES:[0-9]+]]
define spir_kernel void @copies_bytes(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_enqueued_local_size(i32 0)
  %f = mul i64 %g, %s
  %l = call i64 @__hostcl_local_id(i32 0)
  %i = add i64 %f, %l
  %from = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %to = getelementptr i8, ptr addrspace(1) %b, i64 %i
  %v = load i8, ptr addrspace(1) %from
  store i8 %v, ptr addrspace(1) %to
  ret void
}

; The loop reads vectors of b that all rows share.
; CHECK: define spir_kernel void @multiplies({{.*}}) #[[SHARED:[0-9]+]]
define spir_kernel void @multiplies(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %gx = call i64 @__hostcl_group_id(i32 0)
  %sx = call i64 @__hostcl_enqueued_local_size(i32 0)
  %bx = mul i64 %gx, %sx
  %lx = call i64 @__hostcl_local_id(i32 0)
  %x = add i64 %bx, %lx
  %gy = call i64 @__hostcl_group_id(i32 1)
  %sy = call i64 @__hostcl_enqueued_local_size(i32 1)
  %by = mul i64 %gy, %sy
  %ly = call i64 @__hostcl_local_id(i32 1)
  %y = add i64 %by, %ly
  %row = mul i64 %y, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i = add i64 %row, %k
  %of.a = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %of.a
  %kn = mul i64 %k, %n
  %j = add i64 %kn, %x
  %of.b = getelementptr float, ptr addrspace(1) %b, i64 %j
  %w = load float, ptr addrspace(1) %of.b
  %product = fmul float %v, %w
  %sum.next = fadd float %sum, %product
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %to = add i64 %row, %x
  %of.c = getelementptr float, ptr addrspace(1) %a, i64 %to
  store float %sum.next, ptr addrspace(1) %of.c
  ret void
}

; Rows write side by side what lanes write far apart.
; CHECK: define spir_kernel void @transposes({{.*}}) #[[LINES:[0-9]+]]
define spir_kernel void @transposes(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %gx = call i64 @__hostcl_group_id(i32 0)
  %sx = call i64 @__hostcl_enqueued_local_size(i32 0)
  %bx = mul i64 %gx, %sx
  %lx = call i64 @__hostcl_local_id(i32 0)
  %x = add i64 %bx, %lx
  %gy = call i64 @__hostcl_group_id(i32 1)
  %sy = call i64 @__hostcl_enqueued_local_size(i32 1)
  %by = mul i64 %gy, %sy
  %ly = call i64 @__hostcl_local_id(i32 1)
  %y = add i64 %by, %ly
  %row = mul i64 %y, %n
  %i = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %column = mul i64 %x, %n
  %j = add i64 %column, %y
  %to = getelementptr float, ptr addrspace(1) %b, i64 %j
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; An atomic whose result is used in a loop may wait for another work-item, as a lock does; one before the loop, or whose
; result is not used, does not.
; CHECK: define spir_kernel void @locks({{.*}}) {
define spir_kernel void @locks(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic
  %free = icmp eq i32 %was, 0
  br i1 %free, label %done, label %loop
done:
  store atomic i32 0, ptr addrspace(1) %a monotonic, align 4
  ret void
}

; CHECK: define spir_kernel void @counts({{.*}}) #[[ROW]]
define spir_kernel void @counts(ptr addrspace(1) %a, i32 %n) {
entry:
  %first = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %unused = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: define spir_kernel void @waits({{.*}}) {
define spir_kernel void @waits(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr addrspace(1) %a
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %loop
done:
  ret void
}

; CHECK: define spir_kernel void @stops({{.*}}) {
define spir_kernel void @stops(ptr addrspace(1) %a) {
  call void @__hostcl_barrier(i32 0)
  ret void
}

; CHECK: define spir_kernel void @asks({{.*}}) {
define spir_kernel void @asks(ptr addrspace(1) %a) {
  %y = call i64 @__hostcl_local_id(i32 1)
  store i64 %y, ptr addrspace(1) %a
  ret void
}

; With the size that a group has, the last one's start is not the product.
; CHECK: define spir_kernel void @starts({{.*}}) {
define spir_kernel void @starts(ptr addrspace(1) %a) {
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_local_size(i32 0)
  %b = mul i64 %g, %s
  %l = call i64 @__hostcl_local_id(i32 0)
  %x = add i64 %b, %l
  store i64 %x, ptr addrspace(1) %a
  ret void
}

; CHECK: define spir_kernel void @calls({{.*}}) {
define spir_kernel void @calls(ptr addrspace(1) %a) {
  call void @function()
  ret void
}

define void @function() noinline {
  ret void
}

; CHECK-DAG: attributes #[[ROW]] = { "hostcl.group_rows"="1" }
; CHECK-DAG: attributes #[[BYTES]] = { "hostcl.group_rows"="4" }
; CHECK-DAG: attributes #[[LINES]] = { "hostcl.group_rows"="16" }
; CHECK-DAG: attributes #[[SHARED]] = { "hostcl.group_rows"="64" }

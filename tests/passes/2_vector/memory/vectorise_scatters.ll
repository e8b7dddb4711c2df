; Kernels that mostly write to places that lie apart stay scalar on hosts with slow scatters.
; RUN: hostclc --passes='vectorise<width=16;cpu=avx512;slow-scattered-access;only-if-faster>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=16;cpu=avx512;fetches-overwritten>' %s | FileCheck %s --check-prefix=FAST

declare i64 @__hostcl_pipe_reserve_write(ptr addrspace(1), i32)
declare i64 @__hostcl_local_id(i32) memory(none)
declare void @__hostcl_barrier(i32) convergent

; Running sums of rows.
; CHECK-LABEL: @rows
; CHECK-NOT: @llvm.masked
; CHECK: ret void
; FAST-LABEL: @rows
; FAST: @llvm.masked.scatter
define spir_kernel void @rows(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %row = mul i64 %i, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %so_far, %loop ]
  %at = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %so_far = fadd float %sum, %v
  store float %so_far, ptr addrspace(1) %p
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A table of bytes. What is gathered of them are words.
; CHECK-LABEL: @table
; CHECK-NOT: @llvm.masked
; CHECK: ret void
; FAST-LABEL: @table
; FAST: @llvm.masked.gather
define spir_kernel void @table(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %table) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %v = load i8, ptr addrspace(1) %p
  %w = zext i8 %v to i64
  %t = getelementptr i8, ptr addrspace(1) %table, i64 %w
  %x = load i8, ptr addrspace(1) %t
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %i
  store i8 %x, ptr addrspace(1) %q
  ret void
}

; What the inner loop computes makes up for a scatter behind it.
; CHECK-LABEL: @much_else
; CHECK: @llvm.masked.scatter
define spir_kernel void @much_else(ptr addrspace(1) %a, ptr addrspace(1) %to, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %v, %entry ], [ %z, %loop ]
  %y = fmul float %x, %x
  %z = fadd float %y, %v
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i64, ptr addrspace(1) %to, i64 %i
  %t = load i64, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %a, i64 %t
  store float %z, ptr addrspace(1) %r
  ret void
}

; So does what goes through local memory.
; CHECK-LABEL: @exchange
; CHECK: @llvm.masked.scatter
define spir_kernel void @exchange(ptr addrspace(1) %a, ptr addrspace(3) %tile, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %there = mul i64 %i, %n
  %q = getelementptr float, ptr addrspace(3) %tile, i64 %there
  store float %v, ptr addrspace(3) %q
  call void @__hostcl_barrier(i32 1)
  %o = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %w = load float, ptr addrspace(3) %o
  store float %w, ptr addrspace(1) %p
  ret void
}

; A constant distance between neighbours that is no row is a row of another order.
; CHECK-LABEL: @reversed
; CHECK: @llvm.masked.store
define spir_kernel void @reversed(ptr addrspace(1) %a, ptr addrspace(1) %to) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %there = sub i64 4096, %i
  %q = getelementptr float, ptr addrspace(1) %to, i64 %there
  store float %v, ptr addrspace(1) %q
  ret void
}

; Places that an atomic hands out lie together.
; CHECK-LABEL: @append
; CHECK: <16 x float>
; CHECK: ret void
define spir_kernel void @append(ptr addrspace(1) %a, ptr addrspace(1) %count, ptr addrspace(1) %to) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %there = atomicrmw add ptr addrspace(1) %count, i64 1 monotonic
  %q = getelementptr float, ptr addrspace(1) %to, i64 %there
  store float %v, ptr addrspace(1) %q
  ret void
}

; So do those that a pipe hands out: kernels that write packets of four floats take 0.7 of the time.
; CHECK-LABEL: @writes_packet
; CHECK: <16 x float>
; CHECK: ret void
define spir_kernel void @writes_packet(ptr addrspace(1) %a, ptr addrspace(1) %pipe, ptr addrspace(1) %to) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %there = call i64 @__hostcl_pipe_reserve_write(ptr addrspace(1) %pipe, i32 1)
  %q = getelementptr float, ptr addrspace(1) %to, i64 %there
  store float %v, ptr addrspace(1) %q
  ret void
}

; A checksum: each iteration waits for what the last one found in the table, so lanes wait together.
; CHECK-LABEL: @checksum
; CHECK: @llvm.masked.gather
; CHECK: ret void
define spir_kernel void @checksum(ptr addrspace(1) %data, ptr addrspace(2) %table, ptr addrspace(1) %out, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %row = mul i64 %i, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ -1, %entry ], [ %so_far, %loop ]
  %at = add i64 %row, %k
  %p = getelementptr i8, ptr addrspace(1) %data, i64 %at
  %byte = load i8, ptr addrspace(1) %p
  %wide = zext i8 %byte to i32
  %mixed = xor i32 %sum, %wide
  %low = and i32 %mixed, 255
  %entry.place = getelementptr i32, ptr addrspace(2) %table, i32 %low
  %found = load i32, ptr addrspace(2) %entry.place
  %rest = lshr i32 %sum, 8
  %so_far = xor i32 %found, %rest
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %so_far, ptr addrspace(1) %q
  ret void
}

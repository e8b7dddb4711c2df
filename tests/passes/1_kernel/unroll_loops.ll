; Short loops become straight code, and private arrays values.
; RUN: hostclc --passes='function(unroll-loops)' %s | FileCheck %s
; RUN: hostclc --passes='function(unroll-loops<no-unroll_loops>)' %s | FileCheck %s --check-prefix=WITHOUT

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"

; CHECK-LABEL: @array
; CHECK-NOT: alloca
; CHECK-NOT: br i1
; CHECK: fadd float
; CHECK: ret void
; WITHOUT-LABEL: @array
; WITHOUT: %v = alloca [4 x float]
; WITHOUT: br i1 %more, label %fill, label %use
define spir_kernel void @array(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %v = alloca [4 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr %v, i64 %i
  store float %x, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %fill, label %use
use:
  %third = getelementptr float, ptr %v, i64 3
  %a = load float, ptr %v
  %b = load float, ptr %third
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %out
  ret void
}

; What an iteration of two loops adds up stays with its load.
; CHECK-LABEL: @rows
; CHECK: load i32
; CHECK-NOT: load i32
; CHECK: add i32
; CHECK: load i32
; CHECK-NOT: load i32
; CHECK: add i32
; CHECK: load i32
; CHECK-NOT: load i32
; CHECK: add i32
; CHECK: load i32
; CHECK: ret void
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) {
entry:
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r.next, %next ]
  %sum.row = phi i32 [ 128, %entry ], [ %sum.next, %next ]
  %first = mul i64 %r, %width
  br label %column
column:
  %c = phi i64 [ 0, %row ], [ %c.next, %column ]
  %sum = phi i32 [ %sum.row, %row ], [ %sum.next, %column ]
  %at = add i64 %first, %c
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %from
  %weighted = mul i32 %x, 3
  %sum.next = add i32 %weighted, %sum
  %c.next = add nuw nsw i64 %c, 1
  %more = icmp ult i64 %c.next, 2
  br i1 %more, label %column, label %next
next:
  %r.next = add nuw nsw i64 %r, 1
  %more.rows = icmp ult i64 %r.next, 2
  br i1 %more.rows, label %row, label %done
done:
  store i32 %sum.next, ptr addrspace(1) %out
  ret void
}

; A loop that may end early keeps its iterations.
; CHECK-LABEL: @search
; CHECK: phi i64
define spir_kernel void @search(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %from
  %found = icmp eq i32 %x, 7
  br i1 %found, label %exit, label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  %at = phi i64 [ %i, %loop ], [ 4, %next ]
  store i64 %at, ptr addrspace(1) %out
  ret void
}

; So does one with a barrier.
; CHECK-LABEL: @steps
; CHECK: phi i32
; CHECK: call void @__hostcl_barrier
; CHECK-NOT: call void @__hostcl_barrier
define spir_kernel void @steps(ptr addrspace(3) %t) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = load i32, ptr addrspace(3) %t
  call void @__hostcl_barrier(i32 1)
  %y = add i32 %x, %i
  store i32 %y, ptr addrspace(3) %t
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare void @__hostcl_barrier(i32) convergent

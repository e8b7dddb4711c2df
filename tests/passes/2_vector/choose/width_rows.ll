; Loops that read rows: several registers for each value, so that more of a page is read at once.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare float @llvm.fmuladd.f32(float, float, float)

; A product of matrices: one number for all work-items, a row of the other matrix.
; CHECK: define spir_kernel void @product({{.*}}) #[[WIDE:[0-9]+]]
define spir_kernel void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %column = trunc i64 %x to i32
  %line = trunc i64 %y to i32
  %start = mul i32 %line, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i32 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %one = load float, ptr addrspace(1) %p
  %row = mul i32 %k, %n
  %j = add i32 %row, %column
  %q = getelementptr float, ptr addrspace(1) %b, i32 %j
  %other = load float, ptr addrspace(1) %q
  %more = call float @llvm.fmuladd.f32(float %one, float %other, float %sum)
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %x
  store float %more, ptr addrspace(1) %r
  ret void
}

; Each work-item reads a line of its own: no.
; CHECK: define spir_kernel void @lines({{.*}}) #[[NARROW:[0-9]+]]
define spir_kernel void @lines(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %line = trunc i64 %x to i32
  %start = mul i32 %line, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i32 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %one = load float, ptr addrspace(1) %p
  %more = fadd float %one, %sum
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %x
  store float %more, ptr addrspace(1) %r
  ret void
}

; Work-items leave the loop at different times: no.
; CHECK: define spir_kernel void @ends({{.*}}) #[[NARROW]]
define spir_kernel void @ends(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %column = trunc i64 %x to i32
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %k, %n
  %i = add i32 %row, %column
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %one = load float, ptr addrspace(1) %p
  %more = fadd float %one, %sum
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %column
  br i1 %again, label %loop, label %done
done:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %x
  store float %more, ptr addrspace(1) %r
  ret void
}

declare void @__hostcl_barrier(i32)

; Work-items step over all others: they leave the loop one after the other. The loop with a barrier goes round once for
; all of them.
; CHECK: define spir_kernel void @steps({{.*}}) #[[WIDE]]
define spir_kernel void @steps(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n, i32 %step) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %column = trunc i64 %x to i32
  br label %loop
loop:
  %i = phi i32 [ %column, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %one = load float, ptr addrspace(1) %p
  %twice = fadd float %one, %one
  %r = getelementptr float, ptr addrspace(1) %c, i32 %i
  store float %twice, ptr addrspace(1) %r
  %next = add i32 %i, %step
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %iterations
iterations:
  %iteration = phi i32 [ %n, %loop ], [ %half, %iterations ]
  call void @__hostcl_barrier(i32 1)
  %half = lshr i32 %iteration, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %iterations, label %done
done:
  ret void
}

; A row that all leave together may not be written.
; CHECK: define spir_kernel void @writes({{.*}}) #[[NARROW]]
define spir_kernel void @writes(ptr addrspace(1) %a, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %column = trunc i64 %x to i32
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = mul i32 %k, %n
  %i = add i32 %row, %column
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %one = load float, ptr addrspace(1) %p
  store float %one, ptr addrspace(1) %p
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; CHECK-DAG: attributes #[[WIDE]] = { "hostcl.width"="32" }
; CHECK-DAG: attributes #[[NARROW]] = { "hostcl.width"="8" }

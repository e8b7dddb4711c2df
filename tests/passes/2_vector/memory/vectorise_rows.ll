; Loops over rows of each work-item's own length, as those of a sparse matrix, stay scalar.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s 2>&1 | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK: sparse: not vectorised: its loop reads rows of different lengths
define spir_kernel void @sparse(ptr addrspace(1) %begin, ptr addrspace(1) %column, ptr addrspace(1) %value,
                                ptr addrspace(1) %x, ptr addrspace(1) %y) {
entry:
  %row = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %begin, i64 %row
  %first = load i64, ptr addrspace(1) %p
  %next.row = add i64 %row, 1
  %q = getelementptr i64, ptr addrspace(1) %begin, i64 %next.row
  %end = load i64, ptr addrspace(1) %q
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %c = getelementptr i64, ptr addrspace(1) %column, i64 %k
  %place = load i64, ptr addrspace(1) %c
  %v = getelementptr float, ptr addrspace(1) %value, i64 %k
  %a = load float, ptr addrspace(1) %v
  %r = getelementptr float, ptr addrspace(1) %x, i64 %place
  %b = load float, ptr addrspace(1) %r
  %ab = fmul float %a, %b
  %sum.next = fadd float %sum, %ab
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %end
  br i1 %again, label %loop, label %done
done:
  %o = getelementptr float, ptr addrspace(1) %y, i64 %row
  store float %sum.next, ptr addrspace(1) %o
  ret void
}

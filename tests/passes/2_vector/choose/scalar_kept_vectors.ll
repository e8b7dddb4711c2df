; RUN: hostclc --passes='vectorise<only-if-faster;slow-scattered-access;width=8>' %s 2>&1 | FileCheck %s
; Loops that are not kept scalar: rows of one length for all, rows with much work for each number, and scatters to places that
; an atomic hands out.

declare i64 @__hostcl_local_id(i32) memory(none)
declare float @llvm.fma.f32(float, float, float)

; CHECK-NOT: not vectorised

; CHECK-LABEL: @one_length
; CHECK: @llvm.masked.gather
define spir_kernel void @one_length(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %row = mul i64 %i, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %t, %loop ]
  %at = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i64 %at
  %y = load float, ptr addrspace(1) %q
  %s = fmul float %x, %y
  %t = fadd float %sum, %s
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = getelementptr float, ptr addrspace(1) %o, i64 %i
  store float %t, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: @handed_out
; CHECK: <8 x i32>
define spir_kernel void @handed_out(ptr addrspace(1) %count, ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %place = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %wide = zext i32 %place to i64
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %wide
  store i32 %x, ptr addrspace(1) %q
  ret void
}

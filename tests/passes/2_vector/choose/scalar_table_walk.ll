; RUN: hostclc --passes='vectorise<only-if-faster;slow-scattered-access;width=8>' %s 2>&1 | FileCheck %s
; A table of bytes that is read by an index of memory is reached faster one work-item at a time, unless each step waits for the
; last one, as in a checksum: lanes wait together.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK: lookup: not vectorised: it mostly gathers and scatters
; CHECK-NOT: not vectorised
define spir_kernel void @lookup(ptr addrspace(1) %a, ptr addrspace(1) %table, ptr addrspace(1) %o) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %wide = zext i32 %x to i64
  %t = getelementptr i8, ptr addrspace(1) %table, i64 %wide
  %y = load i8, ptr addrspace(1) %t
  %q = getelementptr i8, ptr addrspace(1) %o, i64 %i
  store i8 %y, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @checksum
; CHECK: <8 x i64>
define spir_kernel void @checksum(ptr addrspace(1) %a, ptr addrspace(1) %table, ptr addrspace(1) %o, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi i64 [ %i, %entry ], [ %wide, %loop ]
  %t = getelementptr i8, ptr addrspace(1) %table, i64 %at
  %y = load i8, ptr addrspace(1) %t
  %wide = zext i8 %y to i64
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i64, ptr addrspace(1) %o, i64 %i
  store i64 %wide, ptr addrspace(1) %q
  ret void
}

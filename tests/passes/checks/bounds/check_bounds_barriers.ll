; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; A barrier in a loop does not hide its trip count, and each copy has barriers of its own.

declare i64 @__hostcl_local_id(i32)
declare void @__hostcl_barrier(i32) convergent

; CHECK-LABEL: define spir_kernel void @around_a_barrier(
; CHECK: call i64 @__hostcl_local_size(i32 0)
; CHECK: br i1 %{{.*}}, label %[[PLAIN:.*]], label %[[CHECKED:.*]]
; CHECK: loop:
; CHECK-NOT: report
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK-NOT: report
; CHECK: ret void
; CHECK: loop.checked:
; CHECK: call void @__hostcl_report(
; CHECK: call void @__hostcl_barrier(i32 1)
define spir_kernel void @around_a_barrier(ptr addrspace(3) %t, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = add i64 %i, %id
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %at
  store i32 1, ptr addrspace(3) %p
  call void @__hostcl_barrier(i32 1)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

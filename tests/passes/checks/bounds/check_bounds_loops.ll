; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; The trip count bounds a loop's counter, whether it counts up or down.

; CHECK-LABEL: define spir_kernel void @up(
; CHECK: %[[SUM:.*]] = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 -1, i64 %n)
; CHECK: %[[LAST:.*]] = extractvalue { i64, i1 } %[[SUM]], 0
; CHECK-NEXT: icmp sge i64 %[[LAST]], 0
; CHECK: call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4, i64 %[[LAST]])
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
; CHECK: loop:
; CHECK-NOT: report
; CHECK: ret void
; CHECK: loop.checked:
; CHECK: call void @__hostcl_report(
define spir_kernel void @up(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @down(
; CHECK: call { i64, i1 } @llvm.smul.with.overflow.i64(i64 -4, i64 %
; CHECK: call i64 @llvm.smin.i64(
; CHECK: call i64 @llvm.smax.i64(
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
; CHECK: loop:
; CHECK-NOT: report
; CHECK: ret void
; CHECK: loop.checked:
; CHECK: call void @__hostcl_report(
define spir_kernel void @down(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %next = add i64 %i, -1
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %next
  store i32 1, ptr addrspace(1) %p
  %done = icmp eq i64 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A stride that is halved in each iteration does not exceed its start.
; CHECK-LABEL: define spir_kernel void @halves(
; CHECK: icmp sge i64 %n, 0
; CHECK: loop:
; CHECK-NOT: report
; CHECK: ret void
; CHECK: loop.checked:
define spir_kernel void @halves(ptr addrspace(3) %t, i64 %n) {
entry:
  br label %loop
loop:
  %stride = phi i64 [ %n, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %stride
  store i32 1, ptr addrspace(3) %p
  %next = lshr i64 %stride, 1
  %done = icmp eq i64 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A stride that is doubled until a loaded value ends the loop has no known interval.
; CHECK-LABEL: define spir_kernel void @doubles(
; CHECK-NOT: loop.checked
; CHECK: loop:
; CHECK: call void @__hostcl_report(
; CHECK-NOT: loop.checked
; CHECK: ret void
define spir_kernel void @doubles(ptr addrspace(3) %t, i64 %n) {
entry:
  br label %loop
loop:
  %stride = phi i64 [ %n, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %stride
  %more = load i1, ptr addrspace(3) %p
  %next = shl i64 %stride, 1
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Pointers that loops move on: the offset moves along, and the object does where it is not always the same.

; CHECK-LABEL: define spir_kernel void @one_object(
; CHECK: loop:
; CHECK-NEXT: %offset = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %{{.*}} ]
; CHECK-NOT: phi i64
; CHECK: %position{{[0-9]*}} = sub i64 %offset, %low
; CHECK: %[[NEXT]] = add i64 %offset, 4
define spir_kernel void @one_object(ptr addrspace(1) %a, ptr addrspace(1) %stop) {
entry:
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %next, %loop ]
  store i32 1, ptr addrspace(1) %p
  %next = getelementptr i32, ptr addrspace(1) %p, i64 1
  %more = load volatile i1, ptr addrspace(1) %stop
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @two_objects(
; CHECK: loop:
; CHECK-NEXT: %offset = phi i64
; CHECK-NEXT: %low = phi i64 [ %[[LOW_A:.*]], %{{.*}} ], [ %[[LOW_Q:.*]], %{{.*}} ]
; CHECK-NEXT: %size = phi i64
; CHECK: %[[LOW_Q]] = phi i64 [ %[[LOW_B:.*]], %{{.*}} ], [ %low, %{{.*}} ]
; CHECK: sub i64 %offset, %low
; CHECK-NEXT: call i64 @llvm.usub.sat.i64(i64 %size, i64 3)
; CHECK: call void @__hostcl_report(
define spir_kernel void @two_objects(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %stop) {
entry:
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %q, %loop ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %next, %loop ]
  store i32 1, ptr addrspace(1) %p
  %next = getelementptr i32, ptr addrspace(1) %p, i64 1
  %more = load volatile i1, ptr addrspace(1) %stop
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

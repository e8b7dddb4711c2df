; A loop that waits for another work-item calls the host at each 256th turn. Other loops stay as they are.
; RUN: hostclc --passes='function(waiting-loops)' %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @polls(
; CHECK: [[TURNS:%.*]] = alloca i32
; CHECK: [[STATE:%.*]] = alloca i8
; CHECK: store i8 0, ptr [[STATE]]
; CHECK: store i32 0, ptr [[TURNS]]
; CHECK: [[BITS:%.*]] = load i8, ptr [[STATE]]
; CHECK: [[BEGINS:%.*]] = or i8 [[BITS]], 2
; CHECK: store i8 [[BEGINS]], ptr [[STATE]]
; CHECK: loop:
; CHECK: load atomic
; CHECK: again:
; CHECK: [[OLD:%.*]] = load i32, ptr [[TURNS]]
; CHECK: [[NEW:%.*]] = add i32 [[OLD]], 1
; CHECK: store i32 [[NEW]], ptr [[TURNS]]
; CHECK: [[LOW:%.*]] = and i32 [[NEW]], 255
; CHECK: [[CALLS:%.*]] = icmp eq i32 [[LOW]], 0
; CHECK: br i1 [[CALLS]], label %[[CALL:.*]], label %[[NEXT:.*]], !prof
; CHECK: [[CALL]]:
; CHECK-NEXT: [[X:%.*]] = call i64 @__hostcl_group_id(i32 0)
; CHECK-NEXT: [[Y:%.*]] = call i64 @__hostcl_group_id(i32 1)
; CHECK-NEXT: [[Z:%.*]] = call i64 @__hostcl_group_id(i32 2)
; CHECK-NEXT: call void @__hostcl_wait(i64 [[X]], i64 [[Y]], i64 [[Z]], ptr [[STATE]])
; CHECK-NEXT: br label %[[NEXT]]
; CHECK: [[NEXT]]:
; CHECK-NEXT: br label %loop
define spir_kernel void @polls(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %end
again:
  br label %loop
end:
  ret void
}

; Only the inner loop waits, and each item begins a wait.
; CHECK-LABEL: define spir_kernel void @for_each_item(
; CHECK: items:
; CHECK: or i8 {{.*}}, 2
; CHECK: poll:
; CHECK: call void @__hostcl_wait(
; CHECK: next:
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @for_each_item(ptr addrspace(1) %lock, i64 %n) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  br label %poll
poll:
  %v = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %wait = icmp ne i32 %v, 0
  br i1 %wait, label %poll, label %next
next:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %items, label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-NOT: call
; CHECK: }
define spir_kernel void @counts(ptr addrspace(1) %next, i32 %n) {
entry:
  br label %loop
loop:
  %v = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
  %more = icmp ult i32 %v, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @no_kernel(
; CHECK-NOT: call
; CHECK: }
define void @no_kernel(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %end
end:
  ret void
}

; After a group that has waited, the range ends if the host says so.
; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s

declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_wait(i64, i64, i64, ptr)

; CHECK-LABEL: define void @waits.entry(
; CHECK: [[STATE:%.*]] = alloca i8
; CHECK: group:
; CHECK: store i8 0, ptr [[STATE]]
; CHECK: call void %callback(ptr %context{{.*}}, i64 %group.x, i64 0, i64 0, ptr [[STATE]])
; CHECK: [[ENDS:%.*]] = load i8, ptr [[STATE]]
; CHECK: [[STOPS:%.*]] = trunc i8 [[ENDS]] to i1
; CHECK: br i1 [[STOPS]], label %end, label %group.next
define spir_kernel void @waits(ptr addrspace(1) %flag) "hostcl.dimensions"="1" {
entry:
  %state = alloca i8
  store i8 0, ptr %state
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %done
again:
  %x = call i64 @__hostcl_group_id(i32 0)
  %y = call i64 @__hostcl_group_id(i32 1)
  %z = call i64 @__hostcl_group_id(i32 2)
  call void @__hostcl_wait(i64 %x, i64 %y, i64 %z, ptr %state)
  br label %loop
done:
  ret void
}

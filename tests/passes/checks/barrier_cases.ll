; RUN: hostclc --passes='function(barrier-cases)' %s | FileCheck %s
; Cases that lead to a barrier become branches in front of the switch.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @one_of_three(
; CHECK: [[CASE:%.*]] = icmp eq i64 %x, 2
; CHECK-NEXT: br i1 [[CASE]], label %waits, label %[[REST:.*]]
; CHECK: [[REST]]:
; CHECK-NEXT: switch i64 %x, label %end [
; CHECK-NEXT: i64 1, label %plain
; CHECK-NEXT: ]
; CHECK: end:
; CHECK-NEXT: phi i32 [ 0, %[[REST]] ], [ 1, %plain ], [ 2, %waits ]
define spir_kernel void @one_of_three(ptr addrspace(1) %out) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  switch i64 %x, label %end [
    i64 1, label %plain
    i64 2, label %waits
  ]
plain:
  br label %end
waits:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ 1, %plain ], [ 2, %waits ]
  store i32 %r, ptr addrspace(1) %out
  ret void
}

; Several values of one block, and the default one.
; CHECK-LABEL: define spir_kernel void @of_default(
; CHECK-DAG: [[TWO:%.*]] = icmp eq i64 %x, 2
; CHECK-DAG: [[THREE:%.*]] = icmp eq i64 %x, 3
; CHECK: [[PLAIN:%.*]] = or i1 [[TWO]], [[THREE]]
; CHECK: %barrier.case = xor i1 [[PLAIN]], true
; CHECK: br i1 %barrier.case, label %waits, label %[[REST:.*]]
; CHECK: [[REST]]:
; CHECK-NEXT: switch i64 %x, label %plain [
; CHECK-NEXT: ]
; CHECK: waits:
; CHECK-NEXT: phi i32 [ 7, %entry ]
; CHECK: plain:
; CHECK-NEXT: phi i32 [ 8, %[[REST]] ]
define spir_kernel void @of_default(ptr addrspace(1) %out) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  switch i64 %x, label %waits [
    i64 1, label %waits
    i64 2, label %plain
    i64 3, label %plain
  ]
waits:
  %w = phi i32 [ 7, %entry ], [ 7, %entry ]
  call void @__hostcl_barrier(i32 1)
  br label %end
plain:
  %p = phi i32 [ 8, %entry ], [ 8, %entry ]
  br label %end
end:
  %r = phi i32 [ %w, %waits ], [ %p, %plain ]
  store i32 %r, ptr addrspace(1) %out
  ret void
}

; Two that wait in different places; nothing is left of the switch but its default.
; CHECK-LABEL: define spir_kernel void @two_of_three(
; CHECK: [[FIRST:%.*]] = icmp eq i64 %x, 1
; CHECK: br i1 [[FIRST]], label %a, label %[[REST:.*]]
; CHECK: [[REST]]:
; CHECK: [[SECOND:%.*]] = icmp eq i64 %x, 2
; CHECK: br i1 [[SECOND]], label %b, label %[[LAST:.*]]
; CHECK: [[LAST]]:
; CHECK-NEXT: switch i64 %x, label %end [
; CHECK-NEXT: ]
define spir_kernel void @two_of_three() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  switch i64 %x, label %end [
    i64 1, label %a
    i64 2, label %b
  ]
a:
  call void @__hostcl_barrier(i32 1)
  br label %end
b:
  call void @__hostcl_barrier(i32 2)
  br label %end
end:
  ret void
}

; A barrier behind the switch is none of its cases'.
; CHECK-LABEL: define spir_kernel void @behind(
; CHECK-NOT: icmp
; CHECK: ret void
define spir_kernel void @behind() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  switch i64 %x, label %end [
    i64 1, label %a
    i64 2, label %b
  ]
a:
  br label %end
b:
  br label %end
end:
  call void @__hostcl_barrier(i32 1)
  ret void
}

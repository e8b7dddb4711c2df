; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; A branch whose two ways lead to the barrier before they meet is not checked, nor do those that depend on it.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @both_ways(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @both_ways(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %left, label %right
left:
  br label %wait
right:
  %d = icmp ult i64 %x, %n
  br i1 %d, label %wait, label %end
wait:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

; A barrier on each way is missed by those on the other one.
; CHECK-LABEL: define spir_kernel void @two_barriers(
; CHECK: call void @__hostcl_convergence_arrive(
; CHECK-NOT: call void @__hostcl_convergence_arrive(
; CHECK: ret void
define spir_kernel void @two_barriers() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %left, label %right
left:
  call void @__hostcl_barrier(i32 1)
  br label %end
right:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

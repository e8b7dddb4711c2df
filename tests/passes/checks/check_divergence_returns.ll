; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; An early return in front of a barrier is checked; those go on to the barrier whose condition is false.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define spir_kernel void @early(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK: %[[NOT:.*]] = xor i1 %[[C]], true
; CHECK: %[[ARRIVAL:.*]] = zext i1 %[[NOT]] to i32
; CHECK: call void @__hostcl_convergence_arrive(i32 %[[ARRIVAL]],
; CHECK: %[[FIRST:.*]] = call i32 @__hostcl_convergence_result(
; CHECK: %[[ON:.*]] = icmp eq i32 %[[FIRST]], 0
; CHECK: br i1 %[[ON]], label %done, label %on
define spir_kernel void @early() {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp uge i64 %x, 5
  br i1 %c, label %done, label %on
on:
  call void @__hostcl_barrier(i32 1)
  br label %done
done:
  ret void
}

; A return after the last barrier is as it is.
; CHECK-LABEL: define spir_kernel void @late(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @late(ptr addrspace(1) %a) {
entry:
  call void @__hostcl_barrier(i32 1)
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp uge i64 %x, 5
  br i1 %c, label %done, label %on
on:
  store i32 1, ptr addrspace(1) %a
  br label %done
done:
  ret void
}

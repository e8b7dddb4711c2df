; RUN: hostclc --passes='function(check-divergence)' %s | FileCheck %s
; Branches that decide whether a checked branch is reached are checked as well, and name the same barrier.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK: @[[BARRIER:.*]] = internal constant { {{.*}} } { {{.*}}, ptr null }
; CHECK: @[[OUTER:.*]] = internal constant { {{.*}} } { {{.*}}, ptr {{.*}}@[[BARRIER]]{{.*}} }

; CHECK-LABEL: define spir_kernel void @nested(
; CHECK: call i32 @__hostcl_convergence_result(
; CHECK: call i32 @__hostcl_convergence_result(
; CHECK-NOT: call i32 @__hostcl_convergence_result(
; CHECK: ret void
define spir_kernel void @nested(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %outer, label %end
outer:
  %d = icmp ult i64 %x, %n
  br i1 %d, label %inner, label %end
inner:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

; Only the inner one differs: the outer one is the same for the group.
; CHECK-LABEL: define spir_kernel void @uniform_outside(
; CHECK: outer:
; CHECK: call i32 @__hostcl_convergence_result(
; CHECK-NOT: call i32 @__hostcl_convergence_result(
; CHECK: ret void
define spir_kernel void @uniform_outside(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %n, 5
  br i1 %c, label %outer, label %end
outer:
  %d = icmp ult i64 %x, %n
  br i1 %d, label %inner, label %end
inner:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

; A branch inside that leads to the barrier on both ways has nothing to do with it.
; CHECK-LABEL: define spir_kernel void @beside(
; CHECK-NOT: convergence
; CHECK: ret void
define spir_kernel void @beside(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %x, 5
  br i1 %c, label %then, label %wait
then:
  store i32 1, ptr addrspace(1) %a
  br label %wait
wait:
  call void @__hostcl_barrier(i32 1)
  ret void
}

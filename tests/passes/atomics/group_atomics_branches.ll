; RUN: hostclc --passes='function(group-atomics)' %s | FileCheck %s
; Under a condition the totals are still cleared where every vector comes by, at the start, and the barrier is where the
; update was: vectors that do not reach it are not waited for. With one dimension only x tells the first vector.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @conditional(
; CHECK: entry:
; CHECK: [[X:%.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK-NOT: @__hostcl_local_id(i32 1)
; CHECK: [[FIRST:%.*]] = icmp eq i64 [[X]], 0
; CHECK-DAG: store atomic i32 %{{.*}}, ptr addrspace(3) @made monotonic
; CHECK-DAG: store atomic i32 %{{.*}}, ptr addrspace(3) @total monotonic
; CHECK: br i1 %any, label %then, label %end
; CHECK: then:
; CHECK-NEXT: [[BEFORE:%.*]] = atomicrmw add ptr addrspace(3) @total, i32 %x monotonic
; CHECK-NEXT: call void @__hostcl_barrier(i32 0)
; CHECK: atomicrmw add ptr addrspace(1) %n
; CHECK: end:
define spir_kernel void @conditional(ptr addrspace(1) %n, ptr addrspace(1) %out, i32 %x, ptr addrspace(1) %in) "hostcl.width"="8" "hostcl.dimensions"="1" {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i1, ptr addrspace(1) %in, i64 %id
  %any = load i1, ptr addrspace(1) %a
  br i1 %any, label %then, label %end
then:
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  store i32 %old, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; The address may be computed, if from what is the same for the group.
; CHECK-LABEL: define {{.*}}void @computed(
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK: atomicrmw add ptr addrspace(1) %cell
define spir_kernel void @computed(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="8" "hostcl.dimensions"="1" {
  %i = load i64, ptr addrspace(1) %n
  %cell = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %old = atomicrmw add ptr addrspace(1) %cell, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

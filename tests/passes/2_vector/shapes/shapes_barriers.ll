; RUN: hostclc --passes='function(print<values>)' %s 2>&1 >/dev/null | FileCheck %s
; All lanes take a branch that controls a barrier together, even if its condition is varying, because OpenCL C requires
; it.

declare i64 @__hostcl_local_id(i32) memory(none) nounwind willreturn speculatable
declare i64 @__hostcl_group_id(i32) memory(none) nounwind willreturn speculatable
declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK: around_a_barrier:
; CHECK: %c: varying
; CHECK: %x: uniform
; CHECK-NOT: lanes leave it
; CHECK: early_return:
define spir_kernel void @around_a_barrier(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  %x = phi i64 [ 0, %entry ], [ %n, %then ]
  %more = icmp eq i64 %n, 0
  br i1 %more, label %last, label %exit
last:
  store i64 %x, ptr addrspace(1) %a
  br label %exit
exit:
  ret void
}

; A branch to the return does not control the barrier: lanes that return do not keep the others from the barrier.
; CHECK: %c: varying
; CHECK: %entry: lanes leave it for different blocks
; CHECK: beside_a_barrier:
define spir_kernel void @early_return(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %c = icmp ult i64 %i, 5
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  br label %end
end:
  ret void
}

; CHECK: %entry: lanes leave it for different blocks
define spir_kernel void @beside_a_barrier(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  call void @__hostcl_barrier(i32 1)
  ret void
}

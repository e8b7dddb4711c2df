; RUN: hostclc --passes='function(vectorise-8)' %s | FileCheck %s
;
; A switch whose default cannot happen, in front of a barrier: lanes go different ways, and all of them arrive.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent

; CHECK-LABEL: define {{.*}}void @k(
; CHECK: [[MASK:%mask]] = call <8 x i1> @__hostcl_lane_mask()
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 1), {{.*}}, <8 x i1> %{{[0-9]+}})
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 2), {{.*}}, <8 x i1> %{{[0-9]+}})
; CHECK: call {{.*}}void @__hostcl_barrier
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 3), {{.*}}, <8 x i1> [[MASK]])
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %b = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  switch i32 %v, label %never [ i32 0, label %zero
                                i32 1, label %one ]
zero:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %join
one:
  store i32 2, ptr addrspace(1) %b, align 4
  br label %join
never:
  unreachable
join:
  call void @__hostcl_barrier(i32 1)
  store i32 3, ptr addrspace(1) %a, align 4
  ret void
}

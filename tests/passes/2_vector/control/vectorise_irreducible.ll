; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; A circle with two entries is made a loop with one, also where a switch leads into it; the kernel stays correct code for all
; lanes: every store is masked by the lanes that come by.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @by_branch(
; CHECK-SAME: [[WIDE:#[0-9]+]]
; CHECK: call <8 x i1> @__hostcl_lane_mask()
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 1), {{.*}}, <8 x i1> %
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 2), {{.*}}, <8 x i1> %
; CHECK: ret void
define spir_kernel void @by_branch(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %one, label %two
one:
  %i = phi i32 [ 0, %entry ], [ %k.next, %two ]
  store i32 1, ptr addrspace(1) %p
  br label %two
two:
  %k = phi i32 [ 5, %entry ], [ %i, %one ]
  store i32 2, ptr addrspace(1) %q
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %v
  br i1 %again, label %one, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @by_switch(
; CHECK-SAME: [[WIDE]]
; CHECK-NOT: switch
; CHECK: ret void
define spir_kernel void @by_switch(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p
  switch i32 %v, label %end [ i32 0, label %one
                              i32 4, label %two
                              i32 5, label %two ]
one:
  %i = phi i32 [ 0, %entry ], [ %k.next, %two ]
  store i32 1, ptr addrspace(1) %p
  br label %two
two:
  %k = phi i32 [ 5, %entry ], [ 5, %entry ], [ %i, %one ]
  store i32 2, ptr addrspace(1) %q
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %v
  br i1 %again, label %one, label %end
end:
  ret void
}

; CHECK: attributes [[WIDE]] = {{.*}}"hostcl.width"="8"

; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; Lanes leave a loop by different exits and in different iterations: each exit's code runs for its own lanes only, with the values
; that these lanes had; a break that all lanes take together stays a branch.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @two_exits(
; CHECK: %mask = call <8 x i1> @__hostcl_lane_mask()
; CHECK: icmp eq <8 x i32>
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 -1), {{.*}}, <8 x i1> [[FOUND:%[^ )]+]])
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 -2), {{.*}}, <8 x i1> [[LIMIT:%[^ )]+]])
; CHECK: call void @llvm.masked.store{{.*}}, <8 x i1> %mask)
; CHECK: ret void
define spir_kernel void @two_exits(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %hit = icmp eq i32 %i, %v
  br i1 %hit, label %found, label %latch
latch:
  %next = add i32 %i, 3
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %limit
found:
  store i32 -1, ptr addrspace(1) %p
  br label %end
limit:
  store i32 -2, ptr addrspace(1) %q
  br label %end
end:
  %r = phi i32 [ %i, %found ], [ %next, %limit ]
  %o = getelementptr i32, ptr addrspace(1) %c, i64 %x
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; The flag is the same for all lanes: nothing but the kernel's own mask is needed.
; CHECK-LABEL: define {{.*}}void @together(
; CHECK: %mask = call <8 x i1> @__hostcl_lane_mask()
; CHECK-NOT: bitcast <8 x i1>
; CHECK: [[STOP:%.*]] = icmp eq i32 %{{.*}}, 7
; CHECK: br i1 [[STOP]]
; CHECK: ret void
define spir_kernel void @together(ptr addrspace(1) %a, ptr addrspace(1) %flags, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %w = zext i32 %i to i64
  %f = getelementptr i32, ptr addrspace(1) %flags, i64 %w
  %flag = load i32, ptr addrspace(1) %f
  %stop = icmp eq i32 %flag, 7
  br i1 %stop, label %end, label %latch
latch:
  store i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; A barrier stays one call under a condition that all lanes share: where the specification promises that they agree, one lane's
; answer decides; lanes that return before it are gone; divergence between two barriers does not reach them.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent

; The condition is each lane's, but all must agree: one jump, no mask.
; CHECK-LABEL: define {{.*}}void @promised(
; CHECK: [[ANY:%.*]] = icmp ne i8 %{{.*}}, 0
; CHECK: br i1 [[ANY]]
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: call void @llvm.masked.store{{.*}}, <8 x i1> %mask)
define spir_kernel void @promised(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

; Lanes part and meet before each barrier.
; CHECK-LABEL: define {{.*}}void @between(
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 1), {{.*}}, <8 x i1> [[FIRST:%[0-9]+]])
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 2), {{.*}}, <8 x i1> [[SECOND:%[0-9]+]])
; CHECK: call void @__hostcl_barrier(i32 2)
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 3), {{.*}}, <8 x i1> %mask)
define spir_kernel void @between(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %one, label %join
one:
  store i32 1, ptr addrspace(1) %p
  br label %join
join:
  call void @__hostcl_barrier(i32 1)
  %d = icmp sgt i32 %v, 9
  br i1 %d, label %two, label %last
two:
  store i32 2, ptr addrspace(1) %p
  br label %last
last:
  call void @__hostcl_barrier(i32 2)
  store i32 3, ptr addrspace(1) %p
  ret void
}

; A loop of each lane's own between two barriers.
; CHECK-LABEL: define {{.*}}void @own_loop(
; CHECK-COUNT-1: call void @__hostcl_barrier(i32 1)
; CHECK-NOT: call void @__hostcl_barrier
; CHECK: call void @llvm.masked.store{{.*}}, <8 x i1> %mask)
define spir_kernel void @own_loop(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %v
  br i1 %more, label %loop, label %after
after:
  call void @__hostcl_barrier(i32 1)
  store i32 %next, ptr addrspace(1) %p
  ret void
}

; A lane that leaves the loop reaches the barrier behind it, to which one that stays may come later: lanes part, because
; the loop has another exit, which leads past the barrier.
; CHECK-LABEL: define {{.*}}void @two_exits(
; CHECK: %[[OUT:.*]] = icmp
; CHECK: %[[STAY:.*]] = xor <8 x i1> %{{.*}}, splat (i1 true)
; CHECK: select <8 x i1> %{{.*}}, <8 x i1> %[[STAY]], <8 x i1> zeroinitializer
; CHECK: call void @__hostcl_barrier(i32 1)
define spir_kernel void @two_exits(ptr addrspace(1) %a, i32 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %second ]
  %out = icmp uge i32 %i, %v
  br i1 %out, label %after, label %second
second:
  %next = add i32 %i, 1
  %given_up = icmp eq i32 %i, %n
  br i1 %given_up, label %done, label %loop
after:
  call void @__hostcl_barrier(i32 1)
  store i32 %i, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

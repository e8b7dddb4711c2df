; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; A barrier under a condition: where the condition is the same for the group, the group takes one way; where the analysis
; cannot tell, each chunk remembers its own next region, and the group goes on with the earliest.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use(i64, i32)

; CHECK-LABEL: define {{.*}}void @by_argument(
; CHECK-NOT: @__hostcl_context
; CHECK-NOT: %earliest
; CHECK: switch i32 %{{.*}}, label %group.end [
; CHECK: ret void
define spir_kernel void @by_argument(i1 %c) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  call void @use(i64 %x, i32 0)
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, i32 1)
  br label %end
end:
  call void @use(i64 %x, i32 2)
  ret void
}

; Different barriers on both sides of a branch by data: the earliest region with a chunk comes next.
; CHECK-LABEL: define {{.*}}void @by_data(
; CHECK: waiting.loop:
; CHECK: %earliest = phi i32 [ 3, %{{.*}} ], [ [[LEAST:%.*]], %waiting.latch ]
; CHECK: [[NEXT:%.*]] = load i32, ptr
; CHECK: [[LEAST]] = call i32 @llvm.umin.i32(i32 %earliest, i32 [[NEXT]])
; CHECK: switch i32 [[LEAST]], label %group.end [
; CHECK-NEXT: i32 1, label
; CHECK-NEXT: i32 2, label
; CHECK-NEXT: ]
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: [[MINE:%.*]] = load i32, ptr
; CHECK: icmp eq i32 [[MINE]], 1
; CHECK: chunk.loop{{[0-9]+}}:
; CHECK: [[OTHER:%.*]] = load i32, ptr
; CHECK: icmp eq i32 [[OTHER]], 2
define spir_kernel void @by_data(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i1, ptr addrspace(1) %p, i64 %x
  %c = load i1, ptr addrspace(1) %a
  br i1 %c, label %then, label %else
then:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, i32 1)
  br label %end
else:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, i32 2)
  br label %end
end:
  ret void
}

; A switch by a value of the group, with a barrier in one case and a jump past it in another.
; CHECK-LABEL: define {{.*}}void @by_switch(
; CHECK-NOT: @__hostcl_context
; CHECK: switch i32 %n, label
; CHECK-NOT: @__hostcl_barrier
; CHECK: ret void
define spir_kernel void @by_switch(i32 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  switch i32 %n, label %end [ i32 0, label %zero
                              i32 1, label %one
                              i32 7, label %zero ]
zero:
  call void @__hostcl_barrier(i32 1)
  br label %one
one:
  %k = phi i32 [ 5, %entry ], [ 6, %zero ]
  call void @use(i64 %x, i32 %k)
  br label %end
end:
  ret void
}

; Items that differ before the barrier meet again at it: nothing to remember but which value each has.
; CHECK-LABEL: define {{.*}}void @meet_again(
; CHECK-NOT: waiting.loop
; CHECK-NOT: present
; CHECK: ret void
define spir_kernel void @meet_again() "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %join
then:
  call void @use(i64 %x, i32 1)
  br label %join
join:
  %k = phi i32 [ 1, %then ], [ 2, %entry ]
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, i32 %k)
  ret void
}

; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
;
; Values that look alike for all items of a group, and are kept for each all the same.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use(i64)

; One value where some items come from and nothing where others do: one variable for the group would lose it.
; CHECK-LABEL: define {{.*}}void @undefined_for_some(
; CHECK: [[PHI:%v.*]] = phi i64 [ %{{.*}}, %then{{.*}} ], [ undef,
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i8, ptr %slot,
; CHECK: store i64 [[PHI]], ptr [[SLOT]]
define spir_kernel void @undefined_for_some(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %then, label %join
then:
  %loaded = load i64, ptr addrspace(1) %p
  br label %join
join:
  %v = phi i64 [ %loaded, %then ], [ undef, %entry ]
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %v)
  ret void
}

; Nothing is lost where all items come the same way.
; CHECK-LABEL: define {{.*}}void @undefined_for_all(
; CHECK-NOT: @__hostcl_context
; CHECK: ret void
define spir_kernel void @undefined_for_all(ptr addrspace(1) %p, i1 %c) "hostcl.dimensions"="1" {
entry:
  br i1 %c, label %then, label %join
then:
  %loaded = load i64, ptr addrspace(1) %p
  br label %join
join:
  %v = phi i64 [ %loaded, %then ], [ undef, %entry ]
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %v)
  ret void
}

; What is read under a lock is what the item before has left there; after a barrier it is the same for all again.
; CHECK-LABEL: define {{.*}}void @locked(
; CHECK: [[LOCKED:%locked.*]] = load i64, ptr addrspace(1) %p
; CHECK: store i64 [[LOCKED]], ptr
; CHECK: load i64, ptr %
; CHECK: [[AGAIN:%again.*]] = load i64, ptr addrspace(1) %p
; CHECK-NOT: store
; CHECK: call void @use(i64 [[AGAIN]])
define spir_kernel void @locked(ptr addrspace(1) %lock, ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %old = atomicrmw xchg ptr addrspace(1) %lock, i64 1 acquire
  %locked = load i64, ptr addrspace(1) %p
  call void @__hostcl_barrier(i32 2)
  call void @use(i64 %locked)
  %again = load i64, ptr addrspace(1) %p
  call void @__hostcl_barrier(i32 2)
  call void @use(i64 %again)
  ret void
}

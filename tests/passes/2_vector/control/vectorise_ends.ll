; RUN: hostclc --passes='function(vectorise<width=8>)' %s 2>&1 | FileCheck %s
; Empty kernels, several returns, blocks that end in unreachable, endless loops, and kernels that do not return.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: never: not vectorised: the kernel never returns
; CHECK: jumps: not vectorised: a kind of jump that the vectoriser does not support

; CHECK-LABEL: define {{.*}}void @empty(
; CHECK-SAME: [[WIDE:#[0-9]+]]
; CHECK: ret void
define spir_kernel void @empty() {
  ret void
}

; A lane that is done stores no more.
; CHECK-LABEL: define {{.*}}void @returns(
; CHECK: [[EARLY:%.*]] = select <8 x i1> %mask, <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 1), {{.*}}, <8 x i1> [[FIRST:%[^ )]+]])
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 2), {{.*}}, <8 x i1> [[SECOND:%[^ )]+]])
; CHECK: ret void
; CHECK-NOT: ret void
; CHECK: }
define spir_kernel void @returns(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %done, label %more
done:
  store i32 1, ptr addrspace(1) %q
  ret void
more:
  store i32 2, ptr addrspace(1) %p
  ret void
}

; What cannot happen may do anything, but does not keep the other lanes from returning.
; CHECK-LABEL: define {{.*}}void @cannot_happen(
; CHECK-SAME: [[WIDE]]
; CHECK-NOT: unreachable
; CHECK: call void @llvm.masked.store
; CHECK: ret void
define spir_kernel void @cannot_happen(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %never, label %more
never:
  unreachable
more:
  store i32 2, ptr addrspace(1) %p
  ret void
dead:
  br label %dead
}

; CHECK-LABEL: define {{.*}}void @never(
; CHECK-NOT: <8 x i1>
; CHECK: br label %loop
define spir_kernel void @never(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  store volatile i32 2, ptr addrspace(1) %a
  br label %loop
}

define spir_kernel void @jumps(ptr %to) {
entry:
  indirectbr ptr %to, [ label %a, label %b ]
a:
  ret void
b:
  ret void
}

; A function that is no kernel has no work-items, and is not mentioned.
; CHECK-LABEL: define void @function(
; CHECK-NOT: <8 x i1>
; CHECK: ret void
define void @function(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes [[WIDE]] = { "hostcl.width"="8" }

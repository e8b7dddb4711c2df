; RUN: hostclc --passes='function(infer-generic-space)' %s | FileCheck %s
; Accesses through generic pointers are of the space that the pointer was cast from, if it is one; an access whose pointer may be
; of two spaces stays generic, with its order and scope.

; CHECK-LABEL: define void @local(
; CHECK: [[P:%.*]] = getelementptr i32, ptr addrspace(3) %l, i64 %i
; CHECK: load i32, ptr addrspace(3) [[P]]
; CHECK: atomicrmw add ptr addrspace(3) [[P]], i32 1 syncscope("workgroup") acq_rel
; CHECK: ret void
define void @local(ptr addrspace(3) %l, i64 %i, ptr addrspace(1) %out) {
  %g = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %p = getelementptr i32, ptr addrspace(4) %g, i64 %i
  %v = load i32, ptr addrspace(4) %p
  store i32 %v, ptr addrspace(1) %out
  %old = atomicrmw add ptr addrspace(4) %p, i32 1 syncscope("workgroup") acq_rel
  ret void
}

; CHECK-LABEL: define void @either(
; CHECK: store i32 1, ptr addrspace(4)
; CHECK: store atomic i32 2, ptr addrspace(4) %{{.*}} syncscope("device") release
define void @either(ptr addrspace(3) %l, ptr addrspace(1) %m, i1 %c) {
  %a = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %b = addrspacecast ptr addrspace(1) %m to ptr addrspace(4)
  %p = select i1 %c, ptr addrspace(4) %a, ptr addrspace(4) %b
  store i32 1, ptr addrspace(4) %p
  store atomic i32 2, ptr addrspace(4) %p syncscope("device") release, align 4
  ret void
}

; A pointer that a loop moves on stays in its space.
; CHECK-LABEL: define void @moved_on(
; CHECK: phi ptr addrspace(1)
; CHECK: store i32 3, ptr addrspace(1)
; CHECK-NOT: ptr addrspace(4)
; CHECK: ret void
define void @moved_on(ptr addrspace(1) %m, i1 %c) {
entry:
  %start = addrspacecast ptr addrspace(1) %m to ptr addrspace(4)
  br label %loop
loop:
  %p = phi ptr addrspace(4) [ %start, %entry ], [ %next, %loop ]
  store i32 3, ptr addrspace(4) %p
  %next = getelementptr i32, ptr addrspace(4) %p, i64 1
  br i1 %c, label %loop, label %end
end:
  ret void
}

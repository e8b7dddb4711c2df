; RUN: hostclc --passes='function(loop-mssa(licm))' %s | FileCheck %s
; A sum in global memory lives in a register while a loop reads local memory, and stays where a generic pointer may
; point to it.

; CHECK-LABEL: @local_read(
; CHECK: loop:
; CHECK-NOT: store
; CHECK: br i1
; CHECK: exit:
; CHECK: store float {{.*}}, ptr addrspace(1) %sum
define void @local_read(ptr addrspace(1) %sum, ptr addrspace(3) %t) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr float, ptr addrspace(3) %t, i64 %i
  %x = load float, ptr addrspace(3) %address
  %old = load float, ptr addrspace(1) %sum
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %sum
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @generic_read(
; CHECK: loop:
; CHECK: store float {{.*}}, ptr addrspace(1) %sum
; CHECK: br i1
define void @generic_read(ptr addrspace(1) %sum, ptr addrspace(4) %t) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr float, ptr addrspace(4) %t, i64 %i
  %x = load float, ptr addrspace(4) %address
  %old = load float, ptr addrspace(1) %sum
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %sum
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

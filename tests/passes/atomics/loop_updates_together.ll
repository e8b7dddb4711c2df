; RUN: hostclc --passes='function(loop-updates)' %s | FileCheck %s
; RUN: hostclc --passes='function(loop-updates<no-barrier_synchronised_loops>)' %s | FileCheck %s --check-prefix=ALONE
;
; Updates of one place for the group stay in loops whose steps the work-items should take together: if vectors share the
; cache lines that they read, or where not each step has an update.

declare i64 @__hostcl_local_id(i32) memory(none)

; Each work-item reads every 4096th number, from its own on.
; CHECK-LABEL: @bytes
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more
; ALONE-LABEL: @bytes
; ALONE: loop:
; ALONE-NOT: atomicrmw
; ALONE: br i1 %more
define spir_kernel void @bytes(ptr addrspace(1) noalias %a, ptr addrspace(3) %sum, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ %id, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %k
  %x = load i8, ptr addrspace(1) %p
  %y = zext i8 %x to i32
  %old = atomicrmw add ptr addrspace(3) %sum, i32 %y monotonic
  %next = add nuw nsw i64 %k, 4096
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @words
; CHECK: loop:
; CHECK-NOT: atomicrmw
; CHECK: br i1 %more
define spir_kernel void @words(ptr addrspace(1) noalias %a, ptr addrspace(3) %sum, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ %id, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %x = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(3) %sum, i32 %x monotonic
  %next = add nuw nsw i64 %k, 4096
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @some_words
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more
define spir_kernel void @some_words(ptr addrspace(1) noalias %a, ptr addrspace(3) %sum, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ %id, %entry ], [ %next, %latch ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %x = load i32, ptr addrspace(1) %p
  %odd = trunc i32 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %old = atomicrmw add ptr addrspace(3) %sum, i32 %x monotonic
  br label %latch
latch:
  %next = add nuw nsw i64 %k, 4096
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A place for each work-item.
; CHECK-LABEL: @own_place
; CHECK: loop:
; CHECK-NOT: atomicrmw
; CHECK: br i1 %more
define spir_kernel void @own_place(ptr addrspace(1) noalias %a, ptr addrspace(3) %sums, i64 %n) {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  %sum = getelementptr i32, ptr addrspace(3) %sums, i64 %id
  br label %loop
loop:
  %k = phi i64 [ %id, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %k
  %x = load i8, ptr addrspace(1) %p
  %y = zext i8 %x to i32
  %old = atomicrmw add ptr addrspace(3) %sum, i32 %y monotonic
  %next = add nuw nsw i64 %k, 4096
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

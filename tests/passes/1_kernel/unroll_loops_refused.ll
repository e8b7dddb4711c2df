; RUN: hostclc --passes='function(unroll-loops)' %s | FileCheck %s
; Loops stay loops whose trip count is not known or above 1,024, that have several exits or a barrier, or that the program
; says not to unroll; volatile accesses of an unrolled loop are made as often as before.

declare void @__hostcl_barrier(i32) convergent nounwind

; CHECK-LABEL: define {{.*}}void @unknown(
; CHECK: br i1 %{{.*}}, label %loop, label %end
define spir_kernel void @unknown(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @long(
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %loop
define spir_kernel void @long(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 7, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, 1025
  br i1 %done, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @asked_not_to(
; CHECK: br i1 %{{.*}}, label %loop, label %end, !llvm.loop
define spir_kernel void @asked_not_to(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; A barrier in an inner branch counts.
; CHECK-LABEL: define {{.*}}void @with_barrier(
; CHECK-COUNT-1: call void @__hostcl_barrier
; CHECK-NOT: call void @__hostcl_barrier
; CHECK: ret void
define spir_kernel void @with_barrier(ptr addrspace(1) %p, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %then, label %latch
then:
  call void @__hostcl_barrier(i32 1)
  br label %latch
latch:
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @short(
; CHECK: store volatile i32 0,
; CHECK-NEXT: store volatile i32 1,
; CHECK-NEXT: store volatile i32 2,
; CHECK-NEXT: ret void
define spir_kernel void @short(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

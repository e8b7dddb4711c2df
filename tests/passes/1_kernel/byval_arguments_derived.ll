; RUN: hostclc --passes='byval-arguments' %s | FileCheck %s
; A write through any pointer that comes from the structure's address counts; the copy is made once, before all uses, with
; the structure's size and alignment.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
%Pair = type { [3 x i32], i64 }

; CHECK-LABEL: define spir_kernel void @through_phi(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[OWN:%.*]] = alloca %Pair, align 16
; CHECK-NEXT: call void @llvm.memcpy{{.*}}(ptr align 16 [[OWN]], ptr align 16 %s, i64 24, i1 false)
; CHECK: phi ptr [ [[OWN]], %entry ]
define spir_kernel void @through_phi(ptr byval(%Pair) align 16 %s, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %s, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i32 %i, ptr %p
  %next = getelementptr i32, ptr %p, i64 1
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Of two structures, the one that is written may be either.
; CHECK-LABEL: define spir_kernel void @through_select(
; CHECK-DAG: %a.own = alloca
; CHECK-DAG: %b.own = alloca
; CHECK: select i1 %c, ptr %a.own, ptr %b.own
define spir_kernel void @through_select(ptr byval(%Pair) align 8 %a, ptr byval(%Pair) align 8 %b, i1 %c) {
  %p = select i1 %c, ptr %a, ptr %b
  store i32 1, ptr %p
  ret void
}

; Only the one that is written has a copy.
; CHECK-LABEL: define spir_kernel void @one_of_two(
; CHECK-NOT: %a.own
; CHECK: %b.own = alloca
; CHECK-NOT: %a.own
; CHECK: [[V:%.*]] = load i32, ptr %a
; CHECK: store i32 [[V]], ptr %b.own
define spir_kernel void @one_of_two(ptr byval(%Pair) align 8 %a, ptr byval(%Pair) align 8 %b) {
  %v = load i32, ptr %a
  store i32 %v, ptr %b
  ret void
}

; CHECK-LABEL: define spir_kernel void @through_generic(
; CHECK: [[OWN:%.*]] = alloca %Pair
; CHECK: [[G:%.*]] = addrspacecast ptr [[OWN]] to ptr addrspace(4)
; CHECK: store i32 1, ptr addrspace(4)
define spir_kernel void @through_generic(ptr byval(%Pair) align 8 %s) {
  %g = addrspacecast ptr %s to ptr addrspace(4)
  %q = getelementptr i8, ptr addrspace(4) %g, i64 4
  store i32 1, ptr addrspace(4) %q
  ret void
}

; Whether a pointer is null is asked, its memory is not touched; and volatile reads are reads.
; CHECK-LABEL: define spir_kernel void @only_looked_at(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @only_looked_at(ptr byval(%Pair) align 8 %s, ptr %other, ptr addrspace(1) %out) {
  %same = icmp eq ptr %s, %other
  %q = getelementptr %Pair, ptr %s, i64 0, i32 1
  %v = load volatile i64, ptr %q
  %r = select i1 %same, i64 %v, i64 0
  store i64 %r, ptr addrspace(1) %out
  ret void
}

; RUN: hostclc --passes='function(overlapping-accesses)' %s | FileCheck %s
; The mark of independent iterations goes if and only if two loads or two stores of one base have an access between them that
; one of them must not pass; other marks of the loop stay, and so does the mark of an outer loop.

; Two stores with a load of the first one's bytes between them: the first must not join the second.
; CHECK-LABEL: define void @read_between(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[PLAIN:![0-9]+]]
define void @read_between(ptr %base, ptr noalias %other) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %base, i64 %i
  %b = getelementptr i8, ptr %a, i64 4
  store i32 1, ptr %a, align 4, !llvm.access.group !9
  %v = load i16, ptr %a, align 2, !llvm.access.group !9
  store i16 %v, ptr %other, align 2, !llvm.access.group !9
  store i32 2, ptr %b, align 4, !llvm.access.group !9
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The access between them is of neither one's bytes.
; CHECK-LABEL: define void @apart_between(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[MARKED:![0-9]+]]
define void @apart_between(ptr %base) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr [4 x i32], ptr %base, i64 %i
  %b = getelementptr i8, ptr %a, i64 4
  %c = getelementptr i8, ptr %a, i64 8
  %v = load i32, ptr %a, align 4, !llvm.access.group !9
  store i32 %v, ptr %c, align 4, !llvm.access.group !9
  %w = load i32, ptr %b, align 4, !llvm.access.group !9
  store i32 %w, ptr %c, align 4, !llvm.access.group !9
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end, !llvm.loop !2
end:
  ret void
}

; Accesses of different blocks of an iteration come in the order in which they run.
; CHECK-LABEL: define void @in_branches(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[IN_BRANCHES:![0-9]+]]
define void @in_branches(ptr %base, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr [4 x i32], ptr %base, i64 %i
  %b = getelementptr i8, ptr %a, i64 4
  %v = load i32, ptr %a, align 4, !llvm.access.group !9
  br i1 %c, label %then, label %latch
then:
  %odd = getelementptr i8, ptr %a, i64 2
  store i32 %v, ptr %odd, align 2, !llvm.access.group !9
  br label %latch
latch:
  %w = load i32, ptr %b, align 4, !llvm.access.group !9
  store i32 %w, ptr %a, align 4, !llvm.access.group !9
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end, !llvm.loop !4
end:
  ret void
}

; Only innermost loops are LLVM's to vectorise.
; CHECK-LABEL: define void @outer(
; CHECK: br i1 %inner.more, label %inner, label %latch{{$}}
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[OUTER:![0-9]+]]
define void @outer(ptr %base) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr i64, ptr %base, i64 %i
  br label %inner
inner:
  %k = phi i64 [ 0, %loop ], [ %k.next, %inner ]
  %v = load i64, ptr %a, align 4, !llvm.access.group !9
  %odd = getelementptr i8, ptr %a, i64 6
  store i64 0, ptr %odd, align 2, !llvm.access.group !9
  %b = getelementptr i8, ptr %a, i64 8
  %w = load i64, ptr %b, align 4, !llvm.access.group !9
  store i64 %w, ptr %a, align 4, !llvm.access.group !9
  %k.next = add nuw i64 %k, 1
  %inner.more = icmp ult i64 %k.next, 10
  br i1 %inner.more, label %inner, label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end, !llvm.loop !6
end:
  ret void
}

; CHECK-DAG: [[PLAIN]] = distinct !{[[PLAIN]], [[PROGRESS:![0-9]+]]}
; CHECK-DAG: [[MARKED]] = distinct !{[[MARKED]], [[PARALLEL:![0-9]+]]}
; CHECK-DAG: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[PARALLEL]] = !{!"llvm.loop.parallel_accesses",
; CHECK-DAG: [[IN_BRANCHES]] = distinct !{[[IN_BRANCHES]]}
; CHECK-DAG: [[OUTER]] = distinct !{[[OUTER]], [[PARALLEL]]}
!0 = distinct !{!0, !1, !3}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !9}
!4 = distinct !{!4, !3}
!6 = distinct !{!6, !3}
!9 = distinct !{}

; Loops over work-items lose their mark where LLVM's vectoriser could bring two loads, or two stores, of one
; base together across an access that overlaps with one of them.
; RUN: hostclc --passes='function(overlapping-accesses)' %s | FileCheck %s

; The load at 8 must not pass the store at 6 to join the load at 0.
; CHECK-LABEL: @load_after_store
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop ![[WITHOUT:[0-9]+]]
define void @load_after_store(ptr %base) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr [16 x i8], ptr %base, i64 %i
  %a = load i64, ptr %p, align 8, !llvm.access.group !0
  %q = getelementptr i8, ptr %p, i64 6
  store i64 %a, ptr %q, align 2, !llvm.access.group !0
  %r = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %r, align 8, !llvm.access.group !0
  store i64 %b, ptr %p, align 8, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

; The store at 0 must not pass the load of another pointer to join the store at 4.
; CHECK-LABEL: @load_after_first_store
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop ![[WITHOUT_TOO:[0-9]+]]
define void @load_after_first_store(ptr %base, ptr %other) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr [8 x i8], ptr %base, i64 %i
  %q = getelementptr [8 x i8], ptr %other, i64 %i
  store i32 1, ptr %p, align 4, !llvm.access.group !0
  %a = load i32, ptr %q, align 4, !llvm.access.group !0
  %r = getelementptr i8, ptr %p, i64 4
  store i32 %a, ptr %r, align 4, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit, !llvm.loop !3
exit:
  ret void
}

; What comes last is not read, and the two loads have no store between them that is of the same memory.
; CHECK-LABEL: @apart
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop ![[WITH:[0-9]+]]
define void @apart(ptr %base, ptr noalias %other) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr [16 x i8], ptr %base, i64 %i
  %o = getelementptr i64, ptr %other, i64 %i
  %a = load i64, ptr %p, align 8, !llvm.access.group !0
  store i64 %a, ptr %o, align 8, !llvm.access.group !0
  %r = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %r, align 8, !llvm.access.group !0
  store i64 %b, ptr %p, align 8, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit, !llvm.loop !4
exit:
  ret void
}

; CHECK-DAG: ![[WITHOUT]] = distinct !{![[WITHOUT]]}
; CHECK-DAG: ![[WITHOUT_TOO]] = distinct !{![[WITHOUT_TOO]]}
; CHECK-DAG: ![[WITH]] = distinct !{![[WITH]], ![[PARALLEL:[0-9]+]]}
; CHECK-DAG: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", !{{[0-9]+}}}
!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = distinct !{!3, !2}
!4 = distinct !{!4, !2}

; RUN: hostclc --passes='function(conditional-divisions)' %s | FileCheck %s
; Innermost loops with an integer division that some iterations skip are kept from LLVM's loop vectoriser, even where the program
; asks for it; outer loops, divisions of floats and divisions that every iteration makes are not.

; CHECK-LABEL: define void @asked_for(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[ASKED:![0-9]+]]
define void @asked_for(ptr %a, i32 %n, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = trunc i32 %i to i1
  br i1 %c, label %then, label %latch
then:
  %q = sdiv i32 %i, %d
  store i32 %q, ptr %a
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @real(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @real(ptr %a, i32 %n, float %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = trunc i32 %i to i1
  br i1 %c, label %then, label %latch
then:
  %q = fdiv float 1.0, %d
  store float %q, ptr %a
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The inner loop's division is conditional in the outer one, which is not vectorised anyway.
; CHECK-LABEL: define void @nested(
; CHECK: br i1 %m.more, label %inner, label %outer.latch{{$}}
; CHECK: br i1 %more, label %outer, label %end{{$}}
define void @nested(ptr %a, i32 %n, i32 %d) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %outer.latch ]
  %c = trunc i32 %i to i1
  br i1 %c, label %before, label %outer.latch
before:
  br label %inner
inner:
  %k = phi i32 [ 0, %before ], [ %k.next, %inner ]
  %q = urem i32 %k, %d
  store i32 %q, ptr %a
  %k.next = add nuw i32 %k, 1
  %m.more = icmp ult i32 %k.next, %n
  br i1 %m.more, label %inner, label %outer.latch
outer.latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}

; A loop that may end in the middle: what comes after the exit is not run in the last iteration, but in all others.
; CHECK-LABEL: define void @after_exit(
; CHECK: br label %loop{{$}}
define void @after_exit(ptr %a, i32 %n, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %a
  %stop = icmp eq i32 %v, %n
  br i1 %stop, label %end, label %latch
latch:
  %q = udiv i32 %i, %d
  store i32 %q, ptr %a
  %next = add nuw i32 %i, 1
  br label %loop
end:
  ret void
}

; CHECK: [[ASKED]] = distinct !{[[ASKED]], [[OFF:![0-9]+]]}
; CHECK: [[OFF]] = !{!"llvm.loop.vectorize.enable", i{{32|1}} {{0|false}}}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i32 1}

; Loops with a division that only some iterations reach are not for LLVM's loop vectoriser.
; RUN: hostclc --passes='function(conditional-divisions)' %s | FileCheck %s

; CHECK-LABEL: @conditional
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop ![[MARK:[0-9]+]]
define void @conditional(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %x = load i32, ptr %a
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %next
then:
  %q = urem i32 100, %n
  store i32 %q, ptr %a
  br label %next
next:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @in_each_iteration
; CHECK-NOT: !llvm.loop
define void @in_each_iteration(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = urem i32 100, %n
  store i32 %q, ptr %a
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: ![[MARK]] = distinct !{![[MARK]], ![[OFF:[0-9]+]]}
; CHECK: ![[OFF]] = !{!"llvm.loop.vectorize.enable", i32 0}

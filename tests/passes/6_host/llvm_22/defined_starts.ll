; What a loop carries begins with a number.
; RUN: hostclc --passes='function(defined-starts)' %s | FileCheck %s

; CHECK-LABEL: @chosen
; CHECK: %x = phi i32 [ 0, %entry ], [ %next, %loop ]
; CHECK: %y = phi <2 x float> [ zeroinitializer, %entry ], [ %other, %loop ]
; CHECK: %z = phi i32 [ %m, %entry ], [ %z, %loop ]
define i32 @chosen(i1 %c, i32 %m, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
  %y = phi <2 x float> [ undef, %entry ], [ %other, %loop ]
  %z = phi i32 [ %m, %entry ], [ %z, %loop ]
  %next = select i1 %c, i32 %m, i32 %x
  %other = fadd <2 x float> %y, %y
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %after, label %loop

after:
  ret i32 %next
}

; Values that no loop carries stay.
; CHECK-LABEL: @joined
; CHECK: phi i32 [ poison, %entry ], [ %m, %then ]
define i32 @joined(i1 %c, i32 %m) {
entry:
  br i1 %c, label %then, label %after

then:
  br label %after

after:
  %x = phi i32 [ poison, %entry ], [ %m, %then ]
  ret i32 %x
}

; Masks and truncations to less than 32 bits are opaque to ScalarEvolution in loops.
; RUN: hostclc --passes='function(masked-inductions)' %s | FileCheck %s

; CHECK-LABEL: @f
; CHECK: %outside = and i64 %n, 7
; CHECK-NEXT: br label %loop
; CHECK: %masked = and i64 %i, 3
; CHECK-NEXT: %masked.opaque = freeze i64 %masked
; CHECK: %narrow = trunc i64 %i to i16
; CHECK-NEXT: %narrow.opaque = freeze i16 %narrow
; CHECK: %word = trunc i64 %i to i32
; CHECK-NEXT: %wide = and i64 %i, 4294967295
; CHECK-NEXT: %sum = add i64 %masked.opaque, %wide
; CHECK: icmp eq i16 %narrow.opaque, 5
define void @f(ptr %out, i64 %n) {
entry:
  %outside = and i64 %n, 7
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %masked = and i64 %i, 3
  %narrow = trunc i64 %i to i16
  %word = trunc i64 %i to i32
  %wide = and i64 %i, 4294967295
  %sum = add i64 %masked, %wide
  %p = getelementptr i32, ptr %out, i64 %sum
  store i32 %word, ptr %p
  %five = icmp eq i16 %narrow, 5
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %outside
  %ends = or i1 %done, %five
  br i1 %ends, label %exit, label %loop
exit:
  ret void
}

; The loop vectoriser compares the result of the main vector loop with a start that is poison (llvm/llvm-project#62565). If
; FAULT fails, LLVM is mended: remove the pass defined-starts.
; RUN: opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S %s | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(defined-starts)' %s | \
; RUN:   opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S | FileCheck --check-prefix=MENDED %s

; FAULT: vec.epilog.ph:
; FAULT: icmp ne i32 %bc.merge.rdx, poison
; MENDED: vec.epilog.ph:
; MENDED: icmp ne i32 %bc.merge.rdx, 0
define i32 @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %c = icmp slt i32 %v, 3
  %next = select i1 %c, i32 7, i32 %x
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %next
}

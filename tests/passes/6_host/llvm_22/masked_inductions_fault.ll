; The loop vectoriser takes `%i & 3` for an induction variable that does not wrap, and tests another one at run time only
; (llvm/llvm-project#191382). If FAULT fails, LLVM is mended: remove the pass masked-inductions.
; RUN: opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S %s | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(masked-inductions)' %s | \
; RUN:   opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S | FileCheck --check-prefix=MENDED %s

; FAULT: vector.body:
; FAULT: load <{{[0-9]+}} x i32>
; FAULT: shufflevector {{.*}} <i32 0, i32 2, i32 4, i32 6
; MENDED-NOT: shufflevector {{.*}} <i32 0, i32 2, i32 4, i32 6
; MENDED: ret void
define void @f(ptr noalias %out, ptr noalias %in, i64 %n, i64 %start) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %masked = and i64 %i, 3
  %more = add nuw nsw i64 %masked, 1
  %id = add i64 %start, %i
  %sum = add i64 %more, %id
  %index = and i64 %sum, 4294967295
  %p = getelementptr inbounds nuw i32, ptr %in, i64 %index
  %x = load i32, ptr %p
  %q = getelementptr inbounds nuw i32, ptr %out, i64 %i
  store i32 %x, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

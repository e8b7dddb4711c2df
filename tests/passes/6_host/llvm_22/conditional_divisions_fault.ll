; If FAULT fails, LLVM is mended: remove the pass conditional-divisions. A report for LLVM:
;   Title: [LoopVectorize] A loop-invariant address with a predicated division is poison unless the first lane is active
;   Input: this function; opt -mcpu=x86-64-v4 -passes=loop-vectorize
;   Expected: each active lane reads from table[100 % n].
;   Got: if a[i] >= 1 in the first lane, and a[i] < 1 in another lane, the other lane reads from an address that is poison.
;   The gather takes the address of the first lane, which is the result of a phi [ poison, %vector.body ], [ %urem, %pred.urem.if ].
; RUN: opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S %s | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(conditional-divisions)' %s | \
; RUN:   opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S | FileCheck --check-prefix=MENDED %s

; FAULT: [[R:%.*]] = phi i32 [ poison, %vector.body ], [ %{{.*}}, %pred.urem.if ]
; FAULT: [[W:%.*]] = zext i32 [[R]] to i64
; FAULT: [[T:%.*]] = getelementptr i32, ptr %table, i64 [[W]]
; FAULT: [[S:%.*]] = insertelement <8 x ptr> poison, ptr [[T]], i64 0
; FAULT: [[A:%.*]] = shufflevector <8 x ptr> [[S]], <8 x ptr> poison, <8 x i32> zeroinitializer
; FAULT: @llvm.masked.gather.v8i32.v8p0(<8 x ptr> {{.*}}[[A]],
; MENDED-NOT: vector.body:
; MENDED: ret void
define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %table, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %c = icmp slt i32 %x, 1
  br i1 %c, label %then, label %next
then:
  %r = urem i32 100, %n
  %w = zext i32 %r to i64
  %t = getelementptr i32, ptr %table, i64 %w
  %v = load i32, ptr %t
  %q = getelementptr i32, ptr %b, i64 %i
  store i32 %v, ptr %q
  br label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 1024
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; If FAULT fails, LLVM is mended: remove the pass overlapping-accesses. A report for LLVM:
;   Title: [LoopVectorize] llvm.loop.parallel_accesses: an interleaved group moves a load above a store of the same iteration
;   Input: this function; opt -mcpu=x86-64-v4 -passes=loop-vectorize
;   Expected: %b is read after the store, which writes 6 of its bytes. The metadata says that iterations are independent of
;   each other; accesses of one iteration still depend on each other.
;   Got: %a and %b become one wide load before the store.
; RUN: opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S %s | FileCheck --check-prefix=FAULT %s
; RUN: hostclc --passes='function(overlapping-accesses)' %s | \
; RUN:   opt -mtriple=x86_64 -mcpu=x86-64-v4 -passes=loop-vectorize -S | FileCheck --check-prefix=MENDED %s

; FAULT: vector.body:
; FAULT: %wide.vec = load <8 x i64>
; FAULT: call void @llvm.masked.scatter.v4i64.v4p0(<4 x i64> zeroinitializer,
; FAULT-NOT: load
; FAULT: middle.block:
; MENDED-NOT: vector.body:
; MENDED: store i64 0
; MENDED: %b = load i64
define void @f(ptr %base, ptr noalias %sums) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr [16 x i8], ptr %base, i64 %i
  %a = load i64, ptr %p, align 8, !llvm.access.group !0
  %q = getelementptr i8, ptr %p, i64 6
  store i64 0, ptr %q, align 2, !llvm.access.group !0
  %r = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %r, align 8, !llvm.access.group !0
  %sum = add i64 %a, %b
  %s = getelementptr i64, ptr %sums, i64 %i
  store i64 %sum, ptr %s, align 8, !llvm.access.group !0
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"llvm.loop.vectorize.width", i32 4}

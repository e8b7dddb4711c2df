; RUN: hostclc --passes='function(far-rows)' %s | FileCheck %s
; RUN: hostclc --without=far_rows --passes='function(far-rows)' %s | FileCheck --check-prefix=WITHOUT %s
; WITHOUT-NOT: call void @llvm.prefetch

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare <16 x i32> @llvm.masked.load.v16i32.p0(ptr, <16 x i1>, <16 x i32>)

; Rows of a length that is not known, and one that has been asked for with another.
; CHECK-LABEL: define void @rows(
; CHECK:       entry:
; CHECK:         %[[AHEAD:.*]] = shl i64 %n, 6
; CHECK:       loop:
; CHECK:         %[[LATER:.*]] = getelementptr i8, ptr %row, i64 %[[AHEAD]]
; CHECK-NEXT:    call void @llvm.prefetch.p0(ptr %[[LATER]], i32 0, i32 3, i32 1)
; CHECK-NEXT:    load <16 x i32>
; CHECK-NOT:     prefetch
; CHECK:         ret void
define void @rows(ptr %a, ptr %out, i64 %n, i64 %count) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <16 x i32> [ zeroinitializer, %entry ], [ %total, %loop ]
  %start = mul i64 %k, %n
  %row = getelementptr i32, ptr %a, i64 %start
  %v = load <16 x i32>, ptr %row
  %beside = getelementptr i32, ptr %row, i64 1
  %w = load <16 x i32>, ptr %beside
  %part = add <16 x i32> %sum, %v
  %total = add <16 x i32> %part, %w
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <16 x i32> %total, ptr %out
  ret void
}

; A constant step, of lanes that are on.
; CHECK-LABEL: define void @pages(
; CHECK:         %[[LATER:.*]] = getelementptr i8, ptr %row, i64 65536
; CHECK-NEXT:    call void @llvm.prefetch.p0(ptr %[[LATER]], i32 0, i32 3, i32 1)
; CHECK-NEXT:    call <16 x i32> @llvm.masked.load
define void @pages(ptr %a, ptr %out, <16 x i1> %on, i64 %count) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <16 x i32> [ zeroinitializer, %entry ], [ %total, %loop ]
  %start = mul i64 %k, 1024
  %row = getelementptr i32, ptr %a, i64 %start
  %v = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %row, <16 x i1> %on, <16 x i32> zeroinitializer)
  %total = add <16 x i32> %sum, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <16 x i32> %total, ptr %out
  ret void
}

; Steps within a page, few iterations, and what is only written.
; CHECK-LABEL: define void @near(
; CHECK-NOT: prefetch
; CHECK: ret void
define void @near(ptr %a, ptr %out, i64 %n, i64 %count) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = getelementptr <16 x i32>, ptr %a, i64 %k
  %v = load <16 x i32>, ptr %row
  %place = mul i64 %k, %n
  %to = getelementptr i32, ptr %out, i64 %place
  store <16 x i32> %v, ptr %to
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %few
few:
  br label %short
short:
  %i = phi i64 [ 0, %few ], [ %following, %short ]
  %begin = mul i64 %i, %n
  %from = getelementptr i32, ptr %a, i64 %begin
  %w = load <16 x i32>, ptr %from
  %at = getelementptr <16 x i32>, ptr %out, i64 %i
  store <16 x i32> %w, ptr %at
  %following = add i64 %i, 1
  %goes = icmp ult i64 %following, 8
  br i1 %goes, label %short, label %exit
exit:
  ret void
}

; The body of a loop that has more than 64 loops, itself included, becomes a function of its own. LLVM's pass makes many
; copies of the inner loops of this file first.
; RUN: hostclc --passes='function(loop(loop-unroll-full)),separate-loops' %s | FileCheck %s --implicit-check-not='define '
; RUN: hostclc --passes='function(loop(loop-unroll-full)),separate-loops<no-split_large_regions>' %s | FileCheck %s --check-prefix=WITHOUT

; The outer loop, over groups, keeps its induction variable.
; CHECK-LABEL: define void @many(
; CHECK:      %group = phi i64
; CHECK-NOT:  store
; CHECK:      call void @many.body(ptr %p, i64 %group, i32 %n)
; CHECK:      %group.next = add i64 %group, 1
; CHECK:      ret void
; WITHOUT-LABEL: define void @many(
; WITHOUT-COUNT-64: store volatile
; WITHOUT-NOT: @many.body
define void @many(ptr %p, i64 %groups, i32 %n) {
entry:
  br label %work
work:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %a = getelementptr i32, ptr %p, i64 %group
  br label %copy
copy:
  %c = phi i32 [ 0, %work ], [ %c.next, %copied ]
  br label %loop
loop:
  %i = phi i32 [ 0, %copy ], [ %next, %loop ]
  store volatile i32 %i, ptr %a
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %copied
copied:
  %c.next = add i32 %c, 1
  %uncopied = icmp ult i32 %c.next, 64
  br i1 %uncopied, label %copy, label %end, !llvm.loop !0
end:
  %group.next = add i64 %group, 1
  %more = icmp ult i64 %group.next, %groups
  br i1 %more, label %work, label %done
done:
  ret void
}

; 64 loops are few.
; CHECK-LABEL: define void @few(
; CHECK-COUNT-63: store volatile
; CHECK-NOT:  call
; CHECK:      ret void
define void @few(ptr %p, i64 %groups, i32 %n) {
entry:
  br label %work
work:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %a = getelementptr i32, ptr %p, i64 %group
  br label %copy
copy:
  %c = phi i32 [ 0, %work ], [ %c.next, %copied ]
  br label %loop
loop:
  %i = phi i32 [ 0, %copy ], [ %next, %loop ]
  store volatile i32 %i, ptr %a
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %copied
copied:
  %c.next = add i32 %c, 1
  %uncopied = icmp ult i32 %c.next, 63
  br i1 %uncopied, label %copy, label %end, !llvm.loop !0
end:
  %group.next = add i64 %group, 1
  %more = icmp ult i64 %group.next, %groups
  br i1 %more, label %work, label %done
done:
  ret void
}

; A loop that can end before its last block is not one over groups.
; CHECK-LABEL: define void @exits_early(
; CHECK-COUNT-64: store volatile
; CHECK-NOT:  call
; CHECK:      ret void
define void @exits_early(ptr %p, i64 %groups, i32 %n) {
entry:
  br label %header
header:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %more = icmp ult i64 %group, %groups
  br i1 %more, label %work, label %done
work:
  %a = getelementptr i32, ptr %p, i64 %group
  br label %copy
copy:
  %c = phi i32 [ 0, %work ], [ %c.next, %copied ]
  br label %loop
loop:
  %i = phi i32 [ 0, %copy ], [ %next, %loop ]
  store volatile i32 %i, ptr %a
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %copied
copied:
  %c.next = add i32 %c, 1
  %uncopied = icmp ult i32 %c.next, 64
  br i1 %uncopied, label %copy, label %end, !llvm.loop !0
end:
  %group.next = add i64 %group, 1
  br label %header
done:
  ret void
}

; CHECK-LABEL: define internal void @many.body(ptr %p, i64 %group, i32 %n)
; CHECK-COUNT-64: store volatile
; CHECK:      ret void

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}

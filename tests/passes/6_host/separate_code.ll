; The body of a loop with more than 2000 instructions becomes a function of its own. LLVM's pass unrolls the inner loops
; of this file into so many instructions first.
; RUN: hostclc --passes='function(loop(loop-unroll-full)),separate-code' %s | FileCheck %s --implicit-check-not='define '
; RUN: hostclc --passes='function(loop(loop-unroll-full)),separate-code<no-split_large_regions>' %s | FileCheck %s --check-prefix=WITHOUT

; The loop keeps its induction variable. The new function has the attributes of the parameters that it gets.
; CHECK-LABEL: define void @much(
; CHECK:      %group = phi i64
; CHECK-NOT:  mul i32
; CHECK:      call void @much.body(ptr %p, i64 %group)
; CHECK:      %group.next = add i64 %group, 1
; CHECK:      ret void
; WITHOUT-LABEL: define void @much(
; WITHOUT-COUNT-1100: mul i32
; WITHOUT-NOT: @much.body
define void @much(ptr noalias align 64 %p, i64 %groups) {
entry:
  br label %work
work:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %a = getelementptr i32, ptr %p, i64 %group
  %start = load i32, ptr %a
  br label %step
step:
  %i = phi i32 [ 0, %work ], [ %next, %step ]
  %x = phi i32 [ %start, %work ], [ %z, %step ]
  %y = mul i32 %x, 5
  %z = xor i32 %y, %start
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 1100
  br i1 %again, label %step, label %end, !llvm.loop !0
end:
  store i32 %z, ptr %a
  %group.next = add i64 %group, 1
  %more = icmp ult i64 %group.next, %groups
  br i1 %more, label %work, label %done
done:
  ret void
}

; 1800 instructions are few.
; CHECK-LABEL: define void @little(
; CHECK-COUNT-900: mul i32
; CHECK-NOT:  call
; CHECK:      ret void
define void @little(ptr %p, i64 %groups) {
entry:
  br label %work
work:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %a = getelementptr i32, ptr %p, i64 %group
  %start = load i32, ptr %a
  br label %step
step:
  %i = phi i32 [ 0, %work ], [ %next, %step ]
  %x = phi i32 [ %start, %work ], [ %z, %step ]
  %y = mul i32 %x, 5
  %z = xor i32 %y, %start
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 900
  br i1 %again, label %step, label %end, !llvm.loop !0
end:
  store i32 %z, ptr %a
  %group.next = add i64 %group, 1
  %more = icmp ult i64 %group.next, %groups
  br i1 %more, label %work, label %done
done:
  ret void
}

; The next iteration needs a result of this one, which a function would have to return through memory.
; CHECK-LABEL: define i32 @carried(
; CHECK-COUNT-1100: mul i32
; CHECK-NOT:  call
; CHECK:      ret i32
define i32 @carried(i32 %a, i64 %groups) {
entry:
  br label %work
work:
  %group = phi i64 [ 0, %entry ], [ %group.next, %end ]
  %start = phi i32 [ %a, %entry ], [ %z, %end ]
  br label %step
step:
  %i = phi i32 [ 0, %work ], [ %next, %step ]
  %x = phi i32 [ %start, %work ], [ %z, %step ]
  %y = mul i32 %x, 5
  %z = xor i32 %y, %start
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 1100
  br i1 %again, label %step, label %end, !llvm.loop !0
end:
  %group.next = add i64 %group, 1
  %more = icmp ult i64 %group.next, %groups
  br i1 %more, label %work, label %done
done:
  ret i32 %z
}

; CHECK-LABEL: define internal void @much.body(ptr noalias align 64 %p, i64 %group)
; CHECK:      %a = getelementptr i32, ptr %p, i64 %group
; CHECK-COUNT-1100: mul i32
; CHECK:      store i32 %{{.*}}, ptr %a
; CHECK:      ret void

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}

; Functions with many loops are split by branches to detours that are never taken, one before each 16th loop. LLVM's pass
; makes many copies of the inner loops of this file first.
; RUN: hostclc --passes='function(loop(loop-unroll-full),many-loops)' %s | FileCheck %s
; RUN: hostclc --passes='function(loop(loop-unroll-full),many-loops<no-split_large_regions>)' %s | FileCheck %s --check-prefix=WITHOUT

; 70 loops, of which the 17th, 33rd, 49th and 65th have a branch before them.
; CHECK-LABEL: define void @many(
; CHECK:      %zero = call i32 asm "", "=r,0"(i32 0)
; CHECK-COUNT-16: %again{{.*}} = icmp ult
; CHECK:      %never{{.*}} = icmp ne i32 %zero, 0
; CHECK-NEXT: br i1 %never{{.*}}, label %[[DETOUR:.*]], label %[[CUT:.*]]
; CHECK:      [[DETOUR]]:
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: br label %[[CUT]]
; CHECK:      [[CUT]]:
; CHECK-NEXT: br label %loop
; CHECK-COUNT-16: %again{{.*}} = icmp ult
; CHECK:      %never
; CHECK-COUNT-16: %again{{.*}} = icmp ult
; CHECK:      %never
; CHECK-COUNT-16: %again{{.*}} = icmp ult
; CHECK:      %never
; CHECK-COUNT-6: %again{{.*}} = icmp ult
; CHECK:      ret void
; WITHOUT-LABEL: define void @many(
; WITHOUT-NOT: %zero
; WITHOUT-COUNT-70: %again{{.*}} = icmp ult
; WITHOUT: ret void
define void @many(ptr %p, i32 %n) {
entry:
  br label %copy
copy:
  %c = phi i32 [ 0, %entry ], [ %c.next, %end ]
  br label %loop
loop:
  %i = phi i32 [ 0, %copy ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %c.next = add i32 %c, 1
  %more = icmp ult i32 %c.next, 70
  br i1 %more, label %copy, label %done, !llvm.loop !0
done:
  ret void
}

; 60 loops are few.
; CHECK-LABEL: define void @few(
; CHECK-NOT:  %zero
; CHECK-COUNT-60: %again{{.*}} = icmp ult
; CHECK:      ret void
define void @few(ptr %p, i32 %n) {
entry:
  br label %copy
copy:
  %c = phi i32 [ 0, %entry ], [ %c.next, %end ]
  br label %loop
loop:
  %i = phi i32 [ 0, %copy ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %c.next = add i32 %c, 1
  %more = icmp ult i32 %c.next, 60
  br i1 %more, label %copy, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}

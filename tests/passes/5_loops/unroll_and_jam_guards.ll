; Guards of rows are decided for all rows of a group at once, by the first and the last of them, so that the rows run together;
; groups in which some row does not pass run the loop as it was.
; RUN: hostclc --passes='function(unroll-and-jam)' %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @below
; CHECK: [[FIRST:%.*]] = trunc i64 %first to i32
; CHECK: icmp sgt i32 %bound, [[FIRST]]
; CHECK: icmp slt i32 [[LAST:%.*]], %bound
; CHECK: icmp sge i32 [[LAST]], [[FIRST]]
; CHECK: freeze i1
; CHECK: row.guarded:
; CHECK: icmp sgt i32 %bound, %number.guarded
; CHECK: inner.guarded:
; CHECK: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: br i1
; CHECK: inner:
; CHECK: phi <8 x float>
; CHECK: phi <8 x float>
; CHECK: ret void
define void @below(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows, i64 %first, i32 %bound) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %id = add i64 %first, %y
  %number = trunc i64 %id to i32
  %passes = icmp slt i32 %number, %bound
  br i1 %passes, label %inside, label %end
inside:
  br label %inner
inner:
  %k = phi i64 [ 0, %inside ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %inside ], [ %more, %inner ]
  %j = mul i64 %k, %n
  %q = getelementptr float, ptr addrspace(1) %b, i64 %j
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %sum, %shared
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %store
store:
  %start = mul i64 %id, %n
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  br label %end
end:
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; The bound of the inner guard may be poison for rows that do not pass the outer one. Each condition is frozen by itself: the
; conjunction is false if one of them is false, whatever the others are.
; CHECK-LABEL: @nested
; CHECK: [[FIRST:%.*]] = freeze i1
; CHECK: [[LAST:%.*]] = freeze i1
; CHECK: [[BOTH:%.*]] = and i1 [[FIRST]], [[LAST]]
; CHECK: [[IN_ORDER:%.*]] = freeze i1
; CHECK: and i1 [[BOTH]], [[IN_ORDER]]
; CHECK: freeze i1
; CHECK: [[INNER:%.*]] = freeze i1
; CHECK: [[ALL:%.*]] = and i1 {{.*}}, [[INNER]]
; CHECK-NEXT: br i1 [[ALL]], label %row.preheader, label %{{.*}}guarded
; CHECK: ret void
define void @nested(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows, i32 %first, i32 %bound, i32 %border) {
entry:
  %inner_bound = sub nsw i32 %bound, %border
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %low = trunc i64 %y to i32
  %number = add i32 %first, %low
  %passes = icmp slt i32 %number, %bound
  br i1 %passes, label %near, label %end
near:
  %passes_border = icmp slt i32 %number, %inner_bound
  br i1 %passes_border, label %inside, label %end
inside:
  br label %inner
inner:
  %k = phi i64 [ 0, %inside ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %inside ], [ %more, %inner ]
  %j = mul i64 %k, %n
  %q = getelementptr float, ptr addrspace(1) %b, i64 %j
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %sum, %shared
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %store
store:
  %start = mul i64 %y, %n
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  br label %end
end:
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; A row that is another one than the program names: the first rows and the last may pass, and one in between not.
; CHECK-LABEL: @other
; CHECK-NOT: guarded
; CHECK: fadd <8 x float>
; CHECK-NOT: fadd <8 x float>
; CHECK: ret void
define void @other(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows, i64 %bound) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %passes = icmp ne i64 %y, %bound
  br i1 %passes, label %inside, label %end
inside:
  br label %inner
inner:
  %k = phi i64 [ 0, %inside ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %inside ], [ %more, %inner ]
  %j = mul i64 %k, %n
  %q = getelementptr float, ptr addrspace(1) %b, i64 %j
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %sum, %shared
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %store
store:
  %start = mul i64 %y, %n
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  br label %end
end:
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"hostcl.items"}

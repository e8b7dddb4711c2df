; The loop over rows is unrolled and jammed if the inner loops of the rows read the same vectors.
; RUN: hostclc --passes='function(unroll-and-jam)' %s | FileCheck %s
; RUN: hostclc --passes='function(unroll-and-jam<no-unroll_and_jam>)' %s | FileCheck %s --check-prefix=WITHOUT

target triple = "x86_64-unknown-linux-gnu"

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

; Two or more rows: one load of the shared vector, and each row's own scalar and sum.
; CHECK-LABEL: @product
; CHECK: inner.us:
; CHECK: phi <8 x float>
; CHECK: phi <8 x float>
; CHECK: load float
; CHECK: load <8 x float>
; CHECK: fmuladd.v8f32
; CHECK-NOT: load <8 x float>
; CHECK: load float
; CHECK: fmuladd.v8f32
; CHECK: br i1
; CHECK: store <8 x float>
; CHECK: store <8 x float>
; CHECK: ret void
; WITHOUT-LABEL: @product
; WITHOUT: row:
; WITHOUT: inner:
; WITHOUT: fmuladd.v8f32
; WITHOUT-NOT: fmuladd.v8f32
; WITHOUT: ret void
define void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  %some = icmp ne i64 %n, 0
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %start = mul i64 %y, %n
  br i1 %some, label %inner, label %end
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %i = add i64 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %one = load float, ptr addrspace(1) %p
  %first = insertelement <8 x float> poison, float %one, i64 0
  %all = shufflevector <8 x float> %first, <8 x float> poison, <8 x i32> zeroinitializer
  %j = mul i64 %k, %n
  %q = getelementptr float, ptr addrspace(1) %b, i64 %j
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %all, <8 x float> %shared, <8 x float> %sum)
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %result = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %result, ptr addrspace(1) %r, align 4
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; The value of the row counter after the last row is used after the loop.
; CHECK-LABEL: @counted
; CHECK: inner:
; CHECK: load <8 x float>
; CHECK: fmuladd.v8f32
; CHECK-NOT: load <8 x float>
; CHECK: fmuladd.v8f32
; CHECK: done:
; CHECK: ret i64
define i64 @counted(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 5, %entry ], [ %y.next, %end ]
  %start = mul i64 %y, %n
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %i = add i64 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %one = load float, ptr addrspace(1) %p
  %first = insertelement <8 x float> poison, float %one, i64 0
  %all = shufflevector <8 x float> %first, <8 x float> poison, <8 x i32> zeroinitializer
  %j = mul i64 %k, %n
  %q = getelementptr float, ptr addrspace(1) %b, i64 %j
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %all, <8 x float> %shared, <8 x float> %sum)
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  %y.next = add i64 %y, 3
  %left = icmp ne i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret i64 %y.next
}

; Rows that gather from the same addresses.
; CHECK-LABEL: @gathers
; CHECK: inner:
; CHECK: phi <8 x float>
; CHECK: phi <8 x float>
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK-NOT: call <8 x float> @llvm.masked.gather
; CHECK: br i1
; CHECK: ret void
define void @gathers(ptr addrspace(1) %a, <8 x i64> %places, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %start = mul i64 %y, %n
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %i = add i64 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %one = load float, ptr addrspace(1) %p
  %first = insertelement <8 x float> poison, float %one, i64 0
  %all = shufflevector <8 x float> %first, <8 x float> poison, <8 x i32> zeroinitializer
  %q = getelementptr float, ptr addrspace(1) %a, i64 %k
  %from = getelementptr float, ptr addrspace(1) %q, <8 x i64> %places
  %shared = call <8 x float> @llvm.masked.gather.v8f32.v8p1(<8 x ptr addrspace(1)> align 4 %from, <8 x i1> splat (i1 true), <8 x float> poison)
  %more = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %all, <8 x float> %shared, <8 x float> %sum)
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; Not changed: a loop of the program itself, and work-items with private memory.
; CHECK-LABEL: @no_items
; CHECK: inner:
; CHECK: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: ret void
define void @no_items(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %q = getelementptr float, ptr addrspace(1) %b, i64 %k
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %shared, %sum
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %r = getelementptr float, ptr addrspace(1) %c, i64 %y
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done
done:
  ret void
}

; CHECK-LABEL: @own_memory
; CHECK: inner:
; CHECK: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: ret void
define void @own_memory(ptr addrspace(1) %b, ptr %own, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %q = getelementptr float, ptr addrspace(1) %b, i64 %k
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %shared, %sum
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  store <8 x float> %more, ptr %own, align 4
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; Not changed: a sum over all rows.
; CHECK-LABEL: @carried
; CHECK: fadd <8 x float>
; CHECK-NOT: fadd <8 x float>
; CHECK: ret void
define void @carried(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %total = phi float [ 0.0, %entry ], [ %total.next, %end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %row ], [ %more, %inner ]
  %q = getelementptr float, ptr addrspace(1) %b, i64 %k
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %shared, %sum
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %one = extractelement <8 x float> %more, i64 0
  %total.next = fadd float %total, %one
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  store float %total.next, ptr addrspace(1) %c
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"hostcl.items"}

; The inner loops of several rows are tiled: each row runs a block of iterations, and its recurrences are kept in memory
; between two blocks.
; RUN: hostclc --passes='function(unroll-and-jam,cache-tiling)' %s | FileCheck %s
; RUN: hostclc --passes='function(unroll-and-jam,cache-tiling<no-cache_tiling>)' %s | FileCheck %s --check-prefix=WITHOUT
; WITHOUT-NOT: %carried

target triple = "x86_64-unknown-linux-gnu"

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

; What 16 KiB hold of four sums is cut, and more rows than that are not. 64 KiB are 2048 vectors.
; CHECK-LABEL: @product
; CHECK: %carried = alloca [128 x { <8 x float>, <8 x float>, <8 x float>, <8 x float> }], align 32
; CHECK: [[FITS:%.*]] = icmp ult i64 {{.*}}, 128
; CHECK: [[LONG:%.*]] = icmp uge i64 {{.*}}, 2048
; CHECK: [[BOTH:%.*]] = and i1 [[FITS]], [[LONG]]
; CHECK: [[STEP:%.*]] = select i1 [[BOTH]], i64 2047, i64 -1
; CHECK: block:
; CHECK: [[DONE:%.*]] = phi i64 [ 0, {{.*}} ], [ [[NEXT:%.*]], %next.block ]
; CHECK: [[LEFT:%.*]] = sub i64 {{.*}}, [[DONE]]
; CHECK: [[LAST:%.*]] = icmp ule i64 [[LEFT]], [[STEP]]
; CHECK: [[END:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 [[STEP]])
; CHECK: [[NEXT]] = add i64 [[DONE]], 2048
; CHECK: %row{{.*}} = phi i64 [ 0, %block ], [ {{.*}}, %next.row ]
; CHECK: [[BEGINS:%.*]] = icmp eq i64 [[DONE]], 0
; CHECK: br i1 [[BEGINS]], label %enter, label %restore
; CHECK: enter:
; CHECK: phi <8 x float> [ zeroinitializer, {{.*}} ], [ {{.*}}, %restore ]
; CHECK: [[ITERATION:%.*]] = phi i64 [ 0, %enter ]
; CHECK: icmp eq i64 [[ITERATION]], [[END]]
; CHECK: next.row:
; CHECK: [[ANY:%.*]] = phi i1 [ true, %save ], [ %goes.on, {{.*}} ]
; CHECK: next.block:
; CHECK: br i1 [[ANY]], label %block, label
; CHECK: restore:
; CHECK-COUNT-4: load <8 x float>, ptr
; CHECK: after:
; CHECK: br i1 [[LAST]], label {{.*}}, label %save
; CHECK: save:
; CHECK-COUNT-4: store <8 x float> {{.*}}, ptr
; CHECK: br label %next.row
; CHECK: ret void
define void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
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
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; A loop that writes: what a row reads again in front of it may have changed.
; CHECK-LABEL: @writes
; CHECK-NOT: %carried
; CHECK: ret void
define void @writes(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %start = mul i64 %y, %n
  %r = getelementptr float, ptr addrspace(1) %c, i64 %start
  %begin = load <8 x float>, ptr addrspace(1) %r, align 4
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ %begin, %row ], [ %more, %inner ]
  %q = getelementptr float, ptr addrspace(1) %b, i64 %k
  %shared = load <8 x float>, ptr addrspace(1) %q, align 4
  %more = fadd <8 x float> %shared, %sum
  store <8 x float> %more, ptr addrspace(1) %r, align 4
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %y.next = add nuw nsw i64 %y, 1
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

; Vectors that walk down columns with a guard of their own: eight rows of the matrix at a time, in walks through many
; pages.
; CHECK-LABEL: @columns
; CHECK: %carried = alloca [{{[0-9]+}} x { <8 x float> }], align 32
; CHECK: icmp uge i64 {{.*}}, 1024
; CHECK: select i1 {{.*}}, i64 7, i64 -1
; CHECK: [[DONE:%.*]] = phi i64 [ 0, {{.*}} ], [ [[NEXT:%.*]], %next.block ]
; CHECK: [[NEXT]] = add i64 [[DONE]], 8
; CHECK: br i1 {{.*}}, label %some, label %end
; CHECK: some:
; CHECK: br i1 {{.*}}, label %enter, label %restore
; CHECK: next.row:
; CHECK: phi i1 [ true, %save ], [ %goes.on, %end ]
; CHECK: ret void
define void @columns(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %width, i64 %height, <8 x i64> %limits, i64 %chunks) {
entry:
  br label %chunk
chunk:
  %c = phi i64 [ 0, %entry ], [ %c.next, %end ]
  %x = shl i64 %c, 3
  %one = insertelement <8 x i64> poison, i64 %x, i64 0
  %all = shufflevector <8 x i64> %one, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask = icmp ult <8 x i64> %all, %limits
  %bits = bitcast <8 x i1> %mask to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %some, label %end
some:
  %top = getelementptr float, ptr addrspace(1) %a, i64 %x
  br label %inner
inner:
  %k = phi i64 [ 0, %some ], [ %k.next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %some ], [ %more, %inner ]
  %far = mul i64 %k, %width
  %p = getelementptr float, ptr addrspace(1) %top, i64 %far
  %row = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) align 4 %p, <8 x i1> %mask, <8 x float> poison)
  %more = fadd <8 x float> %sum, %row
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %height
  br i1 %again, label %inner, label %store
store:
  %to = getelementptr float, ptr addrspace(1) %b, i64 %x
  call void @llvm.masked.store.v8f32.p1(<8 x float> %more, ptr addrspace(1) align 4 %to, <8 x i1> %mask)
  br label %end
end:
  %c.next = add nuw nsw i64 %c, 1
  %left = icmp ult i64 %c.next, %chunks
  br i1 %left, label %chunk, label %done, !llvm.loop !0
done:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1), <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p1(<8 x float>, ptr addrspace(1), <8 x i1>)

; Three rows at most are read from the near cache in any case.
; CHECK-LABEL: @few
; CHECK-NOT: %carried
; CHECK: ret void
define void @few(ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
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
  %left = icmp ult i64 %y.next, 3
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"hostcl.items"}

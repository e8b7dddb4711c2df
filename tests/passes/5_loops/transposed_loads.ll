; Gathers in which each lane reads consecutive elements of its own row become contiguous loads of blocks, which are
; transposed in registers.
; RUN: hostclc --passes='function(transposed-loads)' %s | FileCheck %s
; RUN: hostclc --passes='function(transposed-loads<no-transposed_loads>)' %s | FileCheck %s --check-prefix=WITHOUT
; WITHOUT-NOT: rows:

target triple = "x86_64-unknown-linux-gnu"

declare <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)>, <4 x i1>, <4 x float>)

; Four iterations are a block: four row loads and eight shuffles. If a lane is not active, the gather remains.
; CHECK-LABEL: @sums
; CHECK: [[LAST:%.*]] = add i64 %n, -1
; CHECK: [[BITS:%.*]] = bitcast <4 x i1> %mask to i4
; CHECK: [[FROZEN:%.*]] = freeze i4 [[BITS]]
; CHECK: [[ALL:%.*]] = icmp eq i4 [[FROZEN]], -1
; CHECK: [[ITERATIONS:%.*]] = select i1 [[ALL]], i64 {{.*}}, i64 0
; CHECK: [[SOME:%.*]] = icmp ne i64 [[ITERATIONS]], 0
; CHECK: br i1 [[SOME]], label %rows, label %rows.before
; CHECK: rows:
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1) {{.*}}, align 4
; CHECK: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK-COUNT-4: fadd <4 x float>
; CHECK-NOT: fadd
; CHECK: rows.rest:
; CHECK: icmp ugt i64 [[ITERATIONS]], [[LAST]]
; CHECK: rows.before:
; CHECK: phi <4 x float> [ zeroinitializer, {{.*}} ], [ {{.*}}, %rows.rest ]
; CHECK: loop:
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: end:
; CHECK: phi <4 x float> [ {{.*}}, %loop ], [ {{.*}}, %rows.rest ]
define <4 x float> @sums(ptr addrspace(1) %a, <4 x i64> %starts, <4 x i1> %mask, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %one = insertelement <4 x i64> poison, i64 %k, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %at = add <4 x i64> %starts, %all
  %p = getelementptr float, ptr addrspace(1) %a, <4 x i64> %at
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add nuw i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; 32-bit indices that are extended and do not wrap.
; CHECK-LABEL: @extended
; CHECK: rows:
define <4 x float> @extended(ptr addrspace(1) %a, <4 x i32> %starts, <4 x i1> %mask, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %short = trunc nuw nsw i64 %k to i32
  %one = insertelement <4 x i32> poison, i32 %short, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %index = add nsw <4 x i32> %starts, %all
  %at = sext <4 x i32> %index to <4 x i64>
  %p = getelementptr float, ptr addrspace(1) %a, <4 x i64> %at
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add nuw nsw i64 %k, 1
  %end.of.row = zext nneg i32 %n to i64
  %again = icmp ne i64 %next, %end.of.row
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; An extended 32-bit index in a sum of three values.
; CHECK-LABEL: @extended_sum
; CHECK: rows:
define <4 x float> @extended_sum(ptr addrspace(1) %a, <4 x i32> %starts, <4 x i32> %columns, <4 x i1> %mask, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %short = trunc nuw nsw i64 %k to i32
  %one = insertelement <4 x i32> poison, i32 %short, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %column = add nsw <4 x i32> %columns, %all
  %index = add nsw <4 x i32> %starts, %column
  %at = sext <4 x i32> %index to <4 x i64>
  %p = getelementptr float, ptr addrspace(1) %a, <4 x i64> %at
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add nuw nsw i64 %k, 1
  %end.of.row = zext nneg i32 %n to i64
  %again = icmp ne i64 %next, %end.of.row
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; Not changed: indices that may wrap, a step of two, a mask that changes, and a loop that writes.
; CHECK-LABEL: @may_wrap
; CHECK-NOT: rows:
; CHECK: ret
define <4 x float> @may_wrap(ptr addrspace(1) %a, <4 x i32> %starts, <4 x i1> %mask, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %one = insertelement <4 x i32> poison, i32 %k, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %index = add <4 x i32> %starts, %all
  %at = sext <4 x i32> %index to <4 x i64>
  %p = getelementptr float, ptr addrspace(1) %a, <4 x i64> %at
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add i32 %k, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; CHECK-LABEL: @every_second
; CHECK-NOT: rows:
; CHECK: ret
define <4 x float> @every_second(<4 x ptr addrspace(1)> %rows, <4 x i1> %mask, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %p = getelementptr double, <4 x ptr addrspace(1)> %rows, i64 %k
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add nuw i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; CHECK-LABEL: @mask_changes
; CHECK-NOT: rows:
; CHECK: ret
define <4 x float> @mask_changes(<4 x ptr addrspace(1)> %rows, <4 x i64> %ends, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %one = insertelement <4 x i64> poison, i64 %k, i64 0
  %active = icmp ult <4 x i64> %one, %ends
  %p = getelementptr float, <4 x ptr addrspace(1)> %rows, i64 %k
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %active, <4 x float> zeroinitializer)
  %more = fadd <4 x float> %sum, %x
  %next = add nuw i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret <4 x float> %more
}

; CHECK-LABEL: @writes
; CHECK-NOT: rows:
; CHECK: ret
define void @writes(<4 x ptr addrspace(1)> %rows, ptr addrspace(1) %b, <4 x i1> %mask, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, <4 x ptr addrspace(1)> %rows, i64 %k
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %mask, <4 x float> zeroinitializer)
  store <4 x float> %x, ptr addrspace(1) %b
  %next = add nuw i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Blocks with many memory accesses or instructions are split by a branch to a detour that is never taken. LLVM's pass
; unrolls the loops of this file into such blocks first.
; RUN: hostclc --passes='function(loop(loop-unroll-full),simplifycfg,long-blocks)' %s | FileCheck %s
; RUN: hostclc --passes='function(loop(loop-unroll-full),simplifycfg,long-blocks<no-split_large_regions>)' %s | FileCheck %s --check-prefix=WITHOUT

target triple = "x86_64-unknown-linux-gnu"

; The block is split after 192 accesses. LLVM cannot know that %zero is 0.
; CHECK-LABEL: define void @many_accesses(
; CHECK:      %zero = call i32 asm "", "=r,0"(i32 0)
; CHECK-COUNT-192: load volatile i32, ptr %p
; CHECK-NEXT: %never = icmp ne i32 %zero, 0
; CHECK-NEXT: br i1 %never, label %detour, label %cut
; CHECK:      detour:
; CHECK-NEXT: call void asm sideeffect "", ""()
; CHECK-NEXT: br label %cut
; CHECK:      cut:
; CHECK-COUNT-108: load volatile i32, ptr %p
; CHECK-NEXT: ret void
; WITHOUT-LABEL: define void @many_accesses(
; WITHOUT-NOT: %zero
; WITHOUT-COUNT-300: load volatile i32, ptr %p
; WITHOUT-NEXT: ret void
define void @many_accesses(ptr %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = load volatile i32, ptr %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 300
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; 150 accesses are few.
; CHECK-LABEL: define void @few_accesses(
; CHECK-NOT:  %zero
; CHECK-COUNT-150: load volatile i32, ptr %p
; CHECK-NEXT: ret void
define void @few_accesses(ptr %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = load volatile i32, ptr %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 150
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

declare void @llvm.masked.scatter.v64i8.v64p0(<64 x i8>, <64 x ptr>, <64 x i1>)

; CPUs have no scatters of bytes, so a scatter of all 64 lanes counts as 64 accesses.
; CHECK-LABEL: define void @many_lanes(
; CHECK-COUNT-3: call void @llvm.masked.scatter
; CHECK-NEXT: %never = icmp ne i32 %zero, 0
; CHECK:      cut:
; CHECK-NEXT: call void @llvm.masked.scatter
; CHECK-NEXT: ret void
define void @many_lanes(<64 x i8> %x, <64 x ptr> %p) {
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> splat (i1 true))
  ret void
}

; LLVM makes a branch for each lane of a scatter whose mask is not constant, which ends the block.
; CHECK-LABEL: define void @some_lanes(
; CHECK-NOT:  %zero
; CHECK-COUNT-4: call void @llvm.masked.scatter
; CHECK-NEXT: ret void
define void @some_lanes(<64 x i8> %x, <64 x ptr> %p, <64 x i1> %mask) {
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> %mask)
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> %mask)
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> %mask)
  call void @llvm.masked.scatter.v64i8.v64p0(<64 x i8> %x, <64 x ptr> %p, <64 x i1> %mask)
  ret void
}

; 2000 results of 512 bits are many instructions, too.
; CHECK-LABEL: define <16 x i32> @many_results(
; CHECK-COUNT-2000: mul <16 x i32>
; CHECK-NEXT: %never = icmp ne i32 %zero, 0
; CHECK:      cut:
; CHECK-NEXT: mul <16 x i32>
; CHECK:      ret <16 x i32>
define <16 x i32> @many_results(<16 x i32> %x) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = phi <16 x i32> [ %x, %0 ], [ %w, %loop ]
  %w = mul <16 x i32> %v, %x
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 2100
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret <16 x i32> %w
}

; In a block of more than 500 instructions, a comparison with a constant moves to the instruction that uses it. This
; block has 600.
; CHECK-LABEL: define i32 @many_conditions(
; CHECK-NOT:  %zero
; CHECK:      mul i32
; CHECK-NEXT: [[IS_1:%.*]] = icmp eq i32 %x, 1
; CHECK-NEXT: select i1 [[IS_1]]
; CHECK:      [[IS_2:%.*]] = icmp eq i32 %x, 2
; CHECK-NEXT: select i1 [[IS_2]]
; CHECK:      ret i32
define i32 @many_conditions(i32 %x) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = phi i32 [ %x, %0 ], [ %w, %loop ]
  %next = add i32 %i, 1
  %is = icmp eq i32 %x, %next
  %product = mul i32 %v, 5
  %w = select i1 %is, i32 %v, i32 %product
  %again = icmp ult i32 %next, 200
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret i32 %w
}

; In a block of 300 instructions it stays.
; CHECK-LABEL: define i32 @few_conditions(
; CHECK:      icmp eq i32 %x, 1
; CHECK-NEXT: mul i32
; CHECK-NEXT: select i1
; CHECK:      ret i32
define i32 @few_conditions(i32 %x) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = phi i32 [ %x, %0 ], [ %w, %loop ]
  %next = add i32 %i, 1
  %is = icmp eq i32 %x, %next
  %product = mul i32 %v, 5
  %w = select i1 %is, i32 %v, i32 %product
  %again = icmp ult i32 %next, 100
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret i32 %w
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}

; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
;
; Work-items become loops, one for each region between barriers.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare float @compute(i64)
declare void @use(i64, float)

; Without barriers there is one loop over the work-items and no context.
; CHECK-LABEL: define {{.*}}void @plain(
; CHECK: %size.x = call i64 @__hostcl_local_size(i32 0)
; CHECK-NOT: @__hostcl_context
; CHECK: [[X:%chunk.*]] = phi i64 [ 0,
; CHECK: store i64 [[X]],
; CHECK: add nuw nsw i64 [[X]], 1
; CHECK: br i1 %{{.*}}, label %chunk.loop, label %chunk.after, !llvm.loop
define spir_kernel void @plain(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %x, ptr addrspace(1) %a
  ret void
}

; A value that is needed behind the barrier waits in the context; the id is known there anyway.
; CHECK-LABEL: define {{.*}}void @two_regions(
; CHECK: call ptr @__hostcl_context()
; CHECK: [[X:%chunk.*]] = phi i64
; CHECK: [[V:%v.*]] = call float @compute(i64 [[X]])
; CHECK: [[OFFSET:%.*]] = mul nuw nsw i64 [[X]], 4
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i8, ptr %slot{{.*}}, i64 [[OFFSET]]
; CHECK: store float [[V]], ptr [[ADDRESS]]
; CHECK: [[X2:%chunk.*]] = phi i64
; CHECK: [[V2:%v.*]] = load float,
; CHECK: call void @use(i64 [[X2]], float [[V2]])
; CHECK-NOT: @__hostcl_barrier
define spir_kernel void @two_regions() "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %v = call float @compute(i64 %x)
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, float %v)
  ret void
}

; The counter of a loop around barriers is one register for the group; the branch is taken once for all.
; CHECK-LABEL: define {{.*}}void @barrier_in_loop(
; CHECK-NOT: @__hostcl_context
; CHECK: switch i32 %{{.*}}, label %group.end
define spir_kernel void @barrier_in_loop(i32 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @use(i64 %x, float 1.0)
  call void @__hostcl_barrier(i32 1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Some work-items return before others reach the barrier: each chunk notes whether it is still there.
; CHECK-LABEL: define {{.*}}void @early_return(
; CHECK-DAG: store i32 2, ptr %{{.*}}
; CHECK-DAG: store i32 1, ptr %{{.*}}
; CHECK: [[NOTE:%.*]] = load i32, ptr
; CHECK: [[THERE:%.*]] = icmp ne i32 [[NOTE]], 2
; CHECK: br i1 [[THERE]], label %present
define spir_kernel void @early_return(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %out = icmp uge i64 %x, %n
  br i1 %out, label %end, label %stay
stay:
  call void @use(i64 %x, float 1.0)
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %x, float 2.0)
  br label %end
end:
  ret void
}

; Vectors: chunks of full width in a loop, whose mask is constant, and the rest in a masked copy.
; CHECK-LABEL: define {{.*}}void @masked(
; CHECK: [[FULL:%.*]] = udiv i64 %size.x, 8
; CHECK: [[REST:%.*]] = urem i64 %size.x, 8
; CHECK: call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 {{.*}}, <8 x i1> splat (i1 true))
; CHECK: [[LANES:%lanes.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>,
; CHECK: call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 {{.*}}, <8 x i1> [[LANES]])
declare <8 x i1> @__hostcl_lane_mask() nounwind willreturn speculatable memory(none)
define spir_kernel void @masked(ptr addrspace(1) %p) "hostcl.dimensions"="1" "hostcl.width"="8" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %mask)
  ret void
}

; With full chunks promised there is no second copy.
; CHECK-LABEL: define {{.*}}void @unmasked(
; CHECK: udiv exact i64 %size.x, 8
; CHECK: call void @llvm.masked.store.v8i32.p1
; CHECK-NOT: call void @llvm.masked.store.v8i32.p1
define spir_kernel void @unmasked(ptr addrspace(1) %p) "hostcl.dimensions"="1" "hostcl.width"="8" "hostcl.full_chunks"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %mask)
  ret void
}

; Rows that are not whole chunks run one work-item per chunk; there may be as many chunks as work-items.
; CHECK-LABEL: define {{.*}}void @partial_sub_groups(
; CHECK: [[STRIDE:%.*]] = call i32 @__hostcl_sub_group_stride()
; CHECK: %step = zext i32 [[STRIDE]] to i64
; CHECK: %chunks = udiv i64 {{.*}}, %step
; CHECK: mul nuw nsw i64 %chunk, %step
; CHECK: call i64 @llvm.umin.i64(i64 %remaining, i64 %step)
define spir_kernel void @partial_sub_groups(ptr addrspace(1) %p) "hostcl.dimensions"="2" "hostcl.width"="8" "hostcl.partial_sub_groups"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %mask)
  ret void
}

; The other way round: the last work-item first.
; CHECK-LABEL: define {{.*}}void @reversed(
; CHECK: %size.x = call i64 @__hostcl_local_size(i32 0)
; CHECK: [[C:%chunk]] = phi i64 [ 0,
; CHECK: [[LAST:%.*]] = sub nuw nsw i64 %size.x, 1
; CHECK: [[X:%chunk.reversed]] = sub nuw nsw i64 [[LAST]], [[C]]
; CHECK: store i64 [[X]],
define spir_kernel void @reversed(ptr addrspace(1) %p) "hostcl.dimensions"="1" "hostcl.reversed"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %x, ptr addrspace(1) %a
  ret void
}

; LLVM may take work-items of one region to be independent of each other, but not where sub-groups of one item meet in
; the group's scratch memory.
; CHECK-LABEL: define {{.*}}void @independent(
; CHECK: store i32 1, ptr addrspace(3) %p, align 4, !llvm.access.group
define spir_kernel void @independent(ptr addrspace(3) %p) "hostcl.dimensions"="1" {
  store i32 1, ptr addrspace(3) %p
  ret void
}
; CHECK-LABEL: define {{.*}}void @meeting(
; CHECK: store i32 1, ptr addrspace(3) %p, align 4{{$}}
define spir_kernel void @meeting(ptr addrspace(3) %p) "hostcl.dimensions"="1" "hostcl.group_scratch"="true" {
  store i32 1, ptr addrspace(3) %p
  ret void
}

; Tier 0 code steps y and z in one loop around the chunks of a row, and has no partial sub-groups.
; CHECK-LABEL: @tier0(
; CHECK: row.loop:
; CHECK: [[ROW:%.*]] = phi i64 [ 0,
; CHECK: [[Y:%.*]] = phi i64 [ 0,
; CHECK: [[Z:%.*]] = phi i64 [ 0,
; CHECK: chunk.loop:
; CHECK: store i64 [[Z]], ptr addrspace(1) %p
; CHECK-NOT: store
; CHECK: row.latch:
; CHECK: [[NEXT:%.*]] = add nuw nsw i64 [[Y]], 1
; CHECK: [[WRAPS:%.*]] = icmp eq i64 [[NEXT]], %size.y
; CHECK: select i1 [[WRAPS]], i64 0, i64 [[NEXT]]
; CHECK-NOT: .loop:
; CHECK: ret void
define spir_kernel void @tier0(ptr addrspace(1) %p) "hostcl.tier0"="true" "hostcl.width"="8" {
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %z = call i64 @__hostcl_local_id(i32 2)
  store i64 %z, ptr addrspace(1) %p
  ret void
}

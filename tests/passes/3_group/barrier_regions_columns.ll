; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Where rows of a group share vectors, they are the inner loops: all rows of each full chunk, then those of what the ends of
; rows leave, which alone has a mask.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare <8 x i1> @__hostcl_lane_mask() memory(none)
declare void @use(i64, i64, <8 x i1>)
declare void @__hostcl_barrier(i32)

; CHECK-LABEL: define {{.*}}void @columns(
; CHECK: [[FULL:%.*]] = udiv i64 %size.x, 8
; CHECK: [[LEFT:%.*]] = urem i64 %size.x, 8
; CHECK: chunk.loop:
; CHECK: y.loop:
; CHECK: call void @use(i64 %{{.*}}, i64 %{{.*}}, <8 x i1> splat (i1 true))
; CHECK: y.latch:
; CHECK: icmp ult i64 %{{.*}}, %size.y
; CHECK: !llvm.loop
; CHECK: chunk.latch:
; CHECK: icmp ult i64 %{{.*}}, [[FULL]]
; CHECK: tail:
; CHECK: call i64 @llvm.umin.i64(i64 [[LEFT]], i64 8)
; CHECK: [[LANES:%lanes.*]] = icmp ult <8 x i32>
; CHECK: call void @use(i64 %{{.*}}, i64 %{{.*}}, <8 x i1> [[LANES]])
; CHECK: icmp ult i64 %{{.*}}, %size.y
; CHECK: ret void
define spir_kernel void @columns() "hostcl.width"="8" "hostcl.dimensions"="2" "hostcl.group_rows"="8" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  call void @use(i64 %x, i64 %y, <8 x i1> %mask)
  ret void
}

; Full chunks in all groups: one loop.
; CHECK-LABEL: define {{.*}}void @full(
; CHECK: chunk.loop:
; CHECK: y.loop:
; CHECK: call void @use(i64 %{{.*}}, i64 %{{.*}}, <8 x i1> splat (i1 true))
; CHECK-NOT: call void @use
; CHECK: ret void
define spir_kernel void @full() "hostcl.width"="8" "hostcl.dimensions"="2" "hostcl.group_rows"="8" "hostcl.full_chunks"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  call void @use(i64 %x, i64 %y, <8 x i1> %mask)
  ret void
}

; In little code, and in kernels of one row, chunks are the inner loop.
; CHECK-LABEL: define {{.*}}void @tier0(
; CHECK: y.loop:
; CHECK: chunk.loop:
; CHECK: ret void
define spir_kernel void @tier0() "hostcl.width"="8" "hostcl.dimensions"="2" "hostcl.group_rows"="8" "hostcl.tier0"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  call void @use(i64 %x, i64 %y, <8 x i1> %mask)
  ret void
}

; CHECK-LABEL: define {{.*}}void @rows(
; CHECK: y.loop:
; CHECK: chunk.loop:
; CHECK: ret void
define spir_kernel void @rows() "hostcl.width"="8" "hostcl.dimensions"="2" "hostcl.group_rows"="1" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  call void @use(i64 %x, i64 %y, <8 x i1> %mask)
  ret void
}

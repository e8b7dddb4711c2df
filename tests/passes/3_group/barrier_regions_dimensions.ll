; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; Loops over a group run x fastest, then y, then z, each from 0 to its own size; a chunk's number counts all of them, so that
; each has a place of its own in the context; the sizes of groups that are all alike are those of the launch.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i32 @own(i64, i64, i64)
declare void @use(i32)
declare void @__hostcl_barrier(i32)

; CHECK-LABEL: define {{.*}}void @three(
; CHECK: z.loop:
; CHECK: [[Z:%z.*]] = phi i64 [ 0,
; CHECK: y.loop:
; CHECK: [[Y:%y.*]] = phi i64 [ 0,
; CHECK: [[PLANE:%.*]] = mul nuw nsw i64 [[Z]], %size.y
; CHECK: [[ROW:%.*]] = add nuw nsw i64 [[PLANE]], [[Y]]
; CHECK: [[START:%.*]] = mul nuw nsw i64 [[ROW]], %size.x
; CHECK: chunk.loop:
; CHECK: [[X:%chunk.*]] = phi i64 [ 0,
; CHECK: [[NUMBER:%.*]] = add nuw nsw i64 [[START]], [[X]]
; CHECK: [[V:%.*]] = call i32 @own(i64 [[X]], i64 [[Y]], i64 [[Z]])
; CHECK: [[AT:%.*]] = mul nuw nsw i64 [[NUMBER]], 4
; CHECK: icmp ult i64 %{{.*}}, %size.x
; CHECK: icmp ult i64 %{{.*}}, %size.y
; CHECK: icmp ult i64 %{{.*}}, %size.z
define spir_kernel void @three() {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %z = call i64 @__hostcl_local_id(i32 2)
  %v = call i32 @own(i64 %x, i64 %y, i64 %z)
  call void @__hostcl_barrier(i32 1)
  call void @use(i32 %v)
  ret void
}

; The rows of a group of vectors are made of whole chunks: a started one counts.
; CHECK-LABEL: define {{.*}}void @two_wide(
; CHECK: %size.x = call i64 @__hostcl_enqueued_local_size(i32 0)
; CHECK-NOT: @__hostcl_local_size
; CHECK: [[PADDED:%.*]] = add nuw nsw i64 %size.x, 7
; CHECK: %chunks = udiv i64 [[PADDED]], 8
; CHECK: y.loop:
; CHECK: mul nuw nsw i64 %y{{[0-9]*}}, %chunks
; CHECK: chunk.loop:
; CHECK: [[X:%x.*]] = mul nuw nsw i64 %chunk{{[0-9]*}}, 8
; CHECK: call i32 @own(i64 [[X]], i64 %y{{[0-9]*}}, i64 0)
define spir_kernel void @two_wide() "hostcl.dimensions"="2" "hostcl.width"="8" "hostcl.uniform_groups"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %z = call i64 @__hostcl_local_id(i32 2)
  %v = call i32 @own(i64 %x, i64 %y, i64 %z)
  call void @__hostcl_barrier(i32 1)
  call void @use(i32 %v)
  ret void
}

; In reverse, every dimension runs down.
; CHECK-LABEL: define {{.*}}void @down(
; CHECK-DAG: [[Y:%y.reversed.*]] = sub nuw nsw i64
; CHECK-DAG: [[X:%chunk.reversed.*]] = sub nuw nsw i64
; CHECK: call i32 @own(i64 [[X]], i64 [[Y]], i64 0)
define spir_kernel void @down() "hostcl.dimensions"="2" "hostcl.reversed"="true" {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %v = call i32 @own(i64 %x, i64 %y, i64 0)
  ret void
}

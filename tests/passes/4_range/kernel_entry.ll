; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s

%S = type { i32, float }
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_work_dim() nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define void @line.entry(ptr noalias noundef readonly %launch, ptr noalias noundef readonly %arguments, ptr noalias noundef align 128 %local, ptr noalias noundef align 128 %context, i64 %first, i64 %last)
; An empty range does nothing.
; CHECK: icmp ult i64 %first, %last
; Fields of the launch and arguments are read once.
; CHECK: start:
; CHECK-DAG: %enqueued_size = load i64, ptr {{.*}}, align 8, !range {{.*}}, !invariant.load
; CHECK-DAG: [[OFFSET:%tile]] = load i64, ptr {{.*}}, align 8, !invariant.load
; CHECK-DAG: [[TILE:%.*]] = getelementptr inbounds i8, ptr addrspace(3) {{.*}}, i64 [[OFFSET]]
; CHECK-DAG: %p = load ptr addrspace(1), ptr {{.*}}, align 8, !invariant.load
; One dimension: the loop counts groups, and only those along x.
; CHECK: group:
; CHECK: %group.x = phi i64 [ %first, %start ], [ %{{.*}}, %group.next ]
; CHECK: [[LEFT:%.*]] = sub nuw nsw i64 %global_size,
; CHECK: %size = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 %enqueued_size)
; CHECK: store i64 %group.x, ptr addrspace(1) %p
; CHECK: store i64 0, ptr addrspace(1) %p
; CHECK: store i64 %size, ptr addrspace(3) [[TILE]]
; CHECK-NOT: row:
define spir_kernel void @line(ptr addrspace(1) %p, ptr addrspace(3) %tile) "hostcl.dimensions"="1" {
  %x = call i64 @__hostcl_group_id(i32 0)
  %y = call i64 @__hostcl_group_id(i32 1)
  %size = call i64 @__hostcl_local_size(i32 0)
  store i64 %x, ptr addrspace(1) %p
  store i64 %y, ptr addrspace(1) %p
  store i64 %size, ptr addrspace(3) %tile
  ret void
}
; CHECK-NOT: define {{.*}}@line(

; The memory behind a local pointer lies at multiples of 128. What is aligned to more is moved up.
; CHECK-LABEL: define void @aligned.entry(
; CHECK: [[OFFSET:%tile]] = load i64, ptr {{.*}}, align 8, !invariant.load
; CHECK: [[TILE:%.*]] = getelementptr inbounds i8, ptr addrspace(3) {{.*}}, i64 [[OFFSET]]
; CHECK: [[LAST:%.*]] = getelementptr inbounds i8, ptr addrspace(3) [[TILE]], i64 896
; CHECK: [[PLACE:%.*]] = call ptr addrspace(3) @llvm.ptrmask{{.*}}(ptr addrspace(3) [[LAST]], i64 -1024)
; CHECK: store i32 1, ptr addrspace(3) [[PLACE]]
define spir_kernel void @aligned(ptr addrspace(3) align 1024 %tile) {
  store i32 1, ptr addrspace(3) %tile
  ret void
}

; Several dimensions: rows along x; the first group's coordinates alone are divided out.
; CHECK-LABEL: define void @rows.entry(
; CHECK-COUNT-2: udiv
; CHECK-NOT: udiv
; CHECK: %group.y = phi i64
; CHECK: %group.z = phi i64
; CHECK: %group.x = phi i64
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %x = call i64 @__hostcl_group_id(i32 0)
  %z = call i64 @__hostcl_group_id(i32 2)
  store i64 %x, ptr addrspace(1) %p
  store i64 %z, ptr addrspace(1) %p
  ret void
}

; Tier 0 code has one loop for all dimensions, which counts like a clock.
; CHECK-LABEL: define void @steps.entry(
; CHECK: icmp eq i64 %first, 0
; CHECK: divide:
; CHECK-COUNT-2: udiv
; CHECK: group:
; CHECK: phi i64 [ %first, %known ]
; CHECK: [[X:%.*]] = phi i64 [ {{.*}}, %known ]
; CHECK: [[Y:%.*]] = phi i64 [ {{.*}}, %known ]
; CHECK: [[Z:%.*]] = phi i64 [ {{.*}}, %known ]
; CHECK: store i64 [[X]]
; CHECK: store i64 [[Z]]
; CHECK: group.next:
; CHECK: [[END:%.*]] = icmp eq i64 {{.*}}, %group_count
; CHECK: select i1 [[END]], i64 0
; CHECK: br i1 {{.*}}, label %group, label %end
define spir_kernel void @steps(ptr addrspace(1) %p) "hostcl.tier0"="true" {
  %x = call i64 @__hostcl_group_id(i32 0)
  %z = call i64 @__hostcl_group_id(i32 2)
  store i64 %x, ptr addrspace(1) %p
  store i64 %z, ptr addrspace(1) %p
  ret void
}

; A structure by value is read where it lies in the block, behind the char.
; CHECK-LABEL: define void @structure.entry(
; CHECK: [[S:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 4
; CHECK-NOT: memcpy
; CHECK: load i32, ptr [[S]]
define spir_kernel void @structure(i8 %c, ptr byval(%S) align 4 %s, ptr addrspace(1) %p) {
  %v = load i32, ptr %s
  store i32 %v, ptr addrspace(1) %p
  ret void
}

declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)

; Where each row of a group is one vector, its length is known; `x` is the launch's dimension 1 here.
; CHECK-LABEL: define void @one_vector.entry(
; CHECK: store i64 16, ptr addrspace(1) %p
; CHECK: store i64 %enqueued_size, ptr addrspace(1) %p
define spir_kernel void @one_vector(ptr addrspace(1) %p) "hostcl.dimensions"="2" "hostcl.width"="16" "hostcl.uniform_groups"="true" "hostcl.full_chunks"="true" "hostcl.one_chunk"="true" "hostcl.vector_dimension"="1" {
  %x = call i64 @__hostcl_local_size(i32 0)
  %y = call i64 @__hostcl_enqueued_local_size(i32 1)
  store i64 %x, ptr addrspace(1) %p
  store i64 %y, ptr addrspace(1) %p
  ret void
}

; Where groups may run as one, no size of a group is known: neither that of a chunk nor the one that is required.
; CHECK-LABEL: define void @merges.entry(
; CHECK: %enqueued_size = load i64
; CHECK: store i64 %enqueued_size, ptr addrspace(1) %p
define spir_kernel void @merges(ptr addrspace(1) %p) "hostcl.dimensions"="1" "hostcl.width"="16" "hostcl.uniform_groups"="true" "hostcl.full_chunks"="true" "hostcl.one_chunk"="true" "hostcl.groups_merge"="true" !reqd_work_group_size !0 {
  %x = call i64 @__hostcl_local_size(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 64, i32 1, i32 1}

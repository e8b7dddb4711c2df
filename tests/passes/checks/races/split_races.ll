; RUN: hostclc --passes='split-races,function(check-races)' %s | FileCheck %s
; RUN: hostclc --passes='split-races<no-proven_races>,function(check-races)' %s | FileCheck %s --check-prefix=WITHOUT
; A kernel whose work-items keep to their own elements has a form without checks, and one with, and a function that tells
; which of them a launch runs. Others have the form with checks alone.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_count(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define spir_kernel void @own(
; CHECK-NOT: hostcl.race.
; CHECK: store i32
; CHECK-NOT: hostcl.race.
; CHECK: ret void
; WITHOUT-LABEL: define spir_kernel void @own(
; WITHOUT: call i1 @hostcl.race.read.global.1(
; WITHOUT: call i1 @hostcl.race.write.global.1(
define spir_kernel void @own(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %n) {
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %group, %size
  %local = call i64 @__hostcl_local_id(i32 0)
  %id = add i64 %start, %local
  %narrow = trunc i64 %id to i32
  %place = mul nsw i32 %narrow, %n
  %index = sext i32 %place to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %id
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %index
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; What memory has may be the same for two work-items.
; WITHOUT-LABEL: define spir_kernel void @indirect(
; CHECK-LABEL: define spir_kernel void @indirect(
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @indirect(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr inbounds i64, ptr addrspace(1) %from, i64 %id
  %index = load i64, ptr addrspace(1) %p
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %index
  store i32 1, ptr addrspace(1) %q
  ret void
}

; Whether the index is a signed number of 32 bits, the sizes of elements and the launch, and whether the objects overlap.
; CHECK-LABEL: define i1 @own.race_free(
; CHECK-SAME: ptr addrspace(1) [[TO:%.*]], ptr addrspace(1) [[FROM:%.*]], i32 [[N:%.*]])
; CHECK-DAG: sext i32 [[N]] to i64
; CHECK-DAG: call i64 @__hostcl_group_count(i32 2)
; CHECK-DAG: icmp sle i64 %{{.*}}, 2147483647
; CHECK-DAG: call i64 @__hostcl_object_size(i32 0)
; CHECK-DAG: call i64 @__hostcl_object_size(i32 1)
; CHECK: ret i1

; CHECK-LABEL: define spir_kernel void @own.checked(
; CHECK: call i1 @hostcl.race.read.global.1(
; CHECK: call i1 @hostcl.race.write.global.1(
; CHECK-NOT: @indirect.checked

; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A record's work-item is the linear id in groups of the enqueued size, so that it is the same in smaller groups at the
; edge; the state is the group's. A sub-group's barrier releases and acquires for all of its lanes.

declare i32 @__hostcl_sub_group_lane()

; CHECK-LABEL: define spir_kernel void @sub_groups(
; CHECK-DAG: %[[Z:.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK-DAG: %[[ROWS:.*]] = call i64 @__hostcl_enqueued_local_size(i32 1)
; CHECK-DAG: %[[Y:.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK-DAG: %[[COLUMNS:.*]] = call i64 @__hostcl_enqueued_local_size(i32 0)
; CHECK-DAG: %[[X:.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK: %item = shl i64 %{{.*}}, 14
; CHECK: call void @__hostcl_race_order(ptr %group, i64 0, i64 %item, i32 1)
; CHECK-NEXT: call void @__hostcl_race_order(ptr %group, i64 0, i64 %item, i32 2)
; CHECK-NEXT: fence syncscope("singlethread") acq_rel
define spir_kernel void @sub_groups(ptr addrspace(1) %a) {
  %lane = call i32 @__hostcl_sub_group_lane()
  store i32 %lane, ptr addrspace(1) %a
  fence syncscope("singlethread") acq_rel
  ret void
}

; Without sub-groups such a fence orders nothing between work-items.
; CHECK-LABEL: define spir_kernel void @no_sub_groups(
; CHECK: call ptr @__hostcl_race_group(i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK-NOT: race_order
; CHECK: ret void
define spir_kernel void @no_sub_groups(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  fence syncscope("singlethread") acq_rel
  ret void
}

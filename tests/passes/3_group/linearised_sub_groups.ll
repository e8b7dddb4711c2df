; RUN: hostclc --passes=linearised-sub-groups %s | FileCheck %s
; RUN: hostclc --passes=barrier-regions %s | FileCheck --check-prefix=GROUP %s
;
; Rows of groups are joined: local ids follow from the item's place in the group, whose chunks are those of one row.

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_local_size(i32) memory(none)

; CHECK-LABEL: @three
; CHECK: %[[X:.*]] = call i64 @__hostcl_local_size(i32 0)
; CHECK: %[[Y:.*]] = call i64 @__hostcl_local_size(i32 1)
; CHECK: %item = call i64 @__hostcl_local_id(i32 0)
; CHECK: %[[ROW:.*]] = udiv i32 %{{.*}}, %{{.*}}
; CHECK: %row = zext i32 %[[ROW]] to i64
; CHECK: %[[Z:.*]] = udiv i32 %{{.*}}, %{{.*}}
; CHECK: %z = zext i32 %[[Z]] to i64
; CHECK: %[[BEFORE:.*]] = mul i64 %z, %[[Y]]
; CHECK: %y = sub i64 %row, %[[BEFORE]]
; CHECK: %[[ROWS:.*]] = add i64 %[[BEFORE]], %y
; CHECK: %[[FIRST:.*]] = mul i64 %[[ROWS]], %[[X]]
; CHECK: %x = sub i64 %item, %[[FIRST]]
; CHECK-NOT: call i64 @__hostcl_local_id
; CHECK: store i64 %x
; CHECK: store i64 %y
; CHECK: store i64 %z
define spir_kernel void @three(ptr addrspace(1) %a) #0 {
  %id.x = call i64 @__hostcl_local_id(i32 0)
  %id.y = call i64 @__hostcl_local_id(i32 1)
  %id.z = call i64 @__hostcl_local_id(i32 2)
  store i64 %id.x, ptr addrspace(1) %a
  store i64 %id.y, ptr addrspace(1) %a
  store i64 %id.z, ptr addrspace(1) %a
  ret void
}

; In two dimensions one division is enough, and z is 0.
; CHECK-LABEL: @two
; CHECK: call i64 @__hostcl_local_size(i32 0)
; CHECK: udiv
; CHECK-NOT: udiv
; CHECK: store i64 0
define spir_kernel void @two(ptr addrspace(1) %a) #1 {
  %id.x = call i64 @__hostcl_local_id(i32 0)
  %id.z = call i64 @__hostcl_local_id(i32 2)
  store i64 %id.x, ptr addrspace(1) %a
  store i64 %id.z, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: @rows
; CHECK: %id.y = call i64 @__hostcl_local_id(i32 1)
define spir_kernel void @rows(ptr addrspace(1) %a) {
  %id.y = call i64 @__hostcl_local_id(i32 1)
  store i64 %id.y, ptr addrspace(1) %a
  ret void
}

; One loop for all chunks.
; GROUP-LABEL: @chunks
; GROUP: %size.x = call i64 @__hostcl_local_size(i32 0)
; GROUP: %size.y = call i64 @__hostcl_local_size(i32 1)
; GROUP: %[[TWO:.*]] = mul {{.*}} %size.x, %size.y
; GROUP: %[[ALL:.*]] = mul {{.*}} %[[TWO]], %size.z
; GROUP: %[[SUM:.*]] = add nuw nsw i64 %[[ALL]], 15
; GROUP: %chunks = udiv i64 %[[SUM]], 16
; GROUP: chunk.loop:
; GROUP-NOT: .loop:
; GROUP: ret void
define spir_kernel void @chunks(ptr addrspace(1) %a) #2 {
  %item = call i64 @__hostcl_local_id(i32 0)
  store i64 %item, ptr addrspace(1) %a
  ret void
}

attributes #0 = { "hostcl.linearised_sub_groups"="true" "hostcl.dimensions"="3" }
attributes #1 = { "hostcl.linearised_sub_groups"="true" "hostcl.dimensions"="2" }
attributes #2 = { "hostcl.linearised_sub_groups"="true" "hostcl.dimensions"="3" "hostcl.width"="16" }

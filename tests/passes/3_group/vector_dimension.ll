; RUN: hostclc --passes=vector-dimension %s | FileCheck %s
; RUN: hostclc --passes=kernel-entry %s | FileCheck --check-prefix=ENTRY %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_global_size(i32) memory(none)

; CHECK-LABEL: @column
; CHECK: @__hostcl_local_id(i32 1)
; CHECK: @__hostcl_local_id(i32 0)
; CHECK: @__hostcl_local_id(i32 2)
; CHECK: @__hostcl_global_size(i32 1)
define spir_kernel void @column(ptr addrspace(1) %a) #0 {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %z = call i64 @__hostcl_local_id(i32 2)
  %w = call i64 @__hostcl_global_size(i32 0)
  store i64 %x, ptr addrspace(1) %a
  store i64 %y, ptr addrspace(1) %a
  store i64 %z, ptr addrspace(1) %a
  store i64 %w, ptr addrspace(1) %a
  ret void
}

; What the kernel calls its x is the launch's y.
; ENTRY-LABEL: @query.entry
; ENTRY: %[[SIZE:.*]] = getelementptr inbounds i8, ptr %launch, i64 8
; ENTRY: %global_size = load i64, ptr %[[SIZE]]
; ENTRY: store i64 %group.y
; ENTRY: store i64 %group.x
; ENTRY: store i64 %global_size
define spir_kernel void @query(ptr addrspace(1) %a) #0 {
  %x = call i64 @__hostcl_group_id(i32 0)
  %y = call i64 @__hostcl_group_id(i32 1)
  %w = call i64 @__hostcl_global_size(i32 0)
  store i64 %x, ptr addrspace(1) %a
  store i64 %y, ptr addrspace(1) %a
  store i64 %w, ptr addrspace(1) %a
  ret void
}

attributes #0 = { "hostcl.vector_dimension"="1" "hostcl.dimensions"="2" }

; RUN: hostclc --passes='function(order-properties)' %s | FileCheck %s --check-prefix=WRITES
; RUN: hostclc --passes='function(order-properties)' %s | FileCheck %s

; The place of the last write by each parameter, null where there is none.
; WRITES: @hostcl.site = internal constant {{.*}}
; WRITES: @__hostcl_order.places = internal constant [3 x ptr] [ptr @hostcl.site, ptr null, ptr null]
; WRITES: @__hostcl_order = constant { ptr, ptr } { ptr @{{.*}}, ptr @__hostcl_order.places }
; CHECK: c"it accesses memory that the compiler cannot trace to an argument\00"
; CHECK: c"it converts a pointer to an integer and computes with it\00"
; CHECK: c"it stores pointers in memory\00"
; CHECK: c"it calls the host, such as for printf or enqueue_kernel\00"

@variable = internal addrspace(1) global i32 0
@tile = internal addrspace(3) global [4 x i32] poison
@table = internal addrspace(2) constant [4 x i32] zeroinitializer

declare i64 @__hostcl_global_id(i32)
declare void @__hostcl_barrier(i32)
declare i32 @__hostcl_printf(ptr addrspace(2), ptr)

define spir_kernel void @good(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
  %own = alloca i32
  %x = load i32, ptr addrspace(1) %b
  %y = load i32, ptr addrspace(2) @table
  store i32 %x, ptr %own
  store i32 %y, ptr addrspace(3) @tile
  call void @__hostcl_barrier(i32 1)
  %old = atomicrmw add ptr addrspace(1) %a, i32 %x monotonic
  %address = ptrtoint ptr addrspace(1) %a to i64
  %low = and i64 %address, 3
  store i32 %n, ptr addrspace(1) %a
  ret void
}

define spir_kernel void @program_scope(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) @variable
  ret void
}

define spir_kernel void @address(ptr addrspace(1) %a) {
  %address = ptrtoint ptr addrspace(1) %a to i64
  store i64 %address, ptr addrspace(1) %a
  ret void
}

define spir_kernel void @pointer(ptr addrspace(1) %a) {
  store ptr addrspace(1) %a, ptr addrspace(1) %a
  ret void
}

define spir_kernel void @prints(ptr addrspace(2) %format, ptr %values) {
  %n = call i32 @__hostcl_printf(ptr addrspace(2) %format, ptr %values)
  ret void
}

; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Constant memory: a program-scope table has the size of its type, and an argument the one that the host says.

@k.table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; CHECK: @[[NAME:.*]] = {{.*}}c"table\00"
; CHECK: @hostcl.site{{[.0-9]*}} = internal constant { {{.*}} } { {{.*}}ptr @[[NAME]], {{.*}}i64 16, i64 4, i32 0, i32 0, i32 -1, i32 0, i32 1,

; CHECK-LABEL: define spir_kernel void @table(
; CHECK: %[[POSITION:.*]] = sub i64 %{{.*}}, 0
; CHECK: icmp ult i64 %[[POSITION]], 13
define spir_kernel void @table(ptr addrspace(1) %a, i64 %i) {
  %n = load volatile i64, ptr addrspace(1) %a
  %p = getelementptr i32, ptr addrspace(2) @k.table, i64 %n
  %x = load volatile i32, ptr addrspace(2) %p
  ret void
}

; An index of two bits keeps within four elements.
; CHECK-LABEL: define spir_kernel void @masked(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @masked(i64 %i) {
  %low = and i64 %i, 3
  %p = getelementptr i32, ptr addrspace(2) @k.table, i64 %low
  %x = load volatile i32, ptr addrspace(2) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @argument(
; CHECK: call i64 @__hostcl_object_low(i32 1)
; CHECK: call i64 @__hostcl_object_size(i32 1)
; CHECK: call void @__hostcl_report(
define spir_kernel void @argument(i64 %i, ptr addrspace(2) %c) {
  %p = getelementptr i32, ptr addrspace(2) %c, i64 %i
  %x = load volatile i32, ptr addrspace(2) %p
  ret void
}

; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Members of structures: positions have the layout with its padding, and the object is the whole, not the member.

%record = type { i8, double, [3 x i32] }

; CHECK-LABEL: define spir_kernel void @array_of_records(
; CHECK: %[[RECORD:.*]] = mul i64 %i, 32
; CHECK: %[[ELEMENT:.*]] = mul i64 %j, 4
; CHECK: call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 3)
define spir_kernel void @array_of_records(ptr addrspace(1) %a, i64 %i, i64 %j) {
  %p = getelementptr %record, ptr addrspace(1) %a, i64 %i, i32 2, i64 %j
  store i32 1, ptr addrspace(1) %p
  ret void
}

; The member's padding belongs to the variable, and what is behind the variable does not.
; CHECK-LABEL: define spir_kernel void @member(
; CHECK-NOT: report
; CHECK: store i32 1, ptr %padding
; CHECK-NOT: report
; CHECK: br i1 false
; CHECK: call void @__hostcl_report(i64 32,
define spir_kernel void @member() {
  %v = alloca %record
  %last = getelementptr %record, ptr %v, i64 0, i32 2, i64 2
  store i32 0, ptr %last
  %padding = getelementptr %record, ptr %v, i64 0, i32 2, i64 3
  store i32 1, ptr %padding
  %behind = getelementptr %record, ptr %v, i64 0, i32 2, i64 4
  store i32 2, ptr %behind
  ret void
}

; A structure that is passed by value is a variable of the kernel's.
; CHECK-LABEL: define spir_kernel void @by_value(
; CHECK-NOT: object_size
; CHECK: icmp ult i64 %position{{[0-9]*}}, 29
; CHECK: call void @__hostcl_report(i64 %position
; CHECK: ret void
define spir_kernel void @by_value(ptr byval(%record) %r, i64 %j) {
  %p = getelementptr %record, ptr %r, i64 0, i32 2, i64 %j
  store i32 1, ptr %p
  ret void
}

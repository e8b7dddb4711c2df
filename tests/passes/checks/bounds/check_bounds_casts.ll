; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Casts keep the object of a pointer; a number that becomes a pointer is found by its address.

; CHECK-LABEL: define spir_kernel void @generic(
; CHECK-NOT: object_low_at
; CHECK: icmp ult i64 %position{{[0-9]*}}, 13
; CHECK-NOT: object_low_at
; CHECK: ret void
define spir_kernel void @generic(i64 %i) {
  %v = alloca [4 x i32]
  %g = addrspacecast ptr %v to ptr addrspace(4)
  %f = freeze ptr addrspace(4) %g
  %p = getelementptr i32, ptr addrspace(4) %f, i64 %i
  store i32 1, ptr addrspace(4) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @number(
; CHECK: %p = inttoptr i64 %n to ptr addrspace(1)
; CHECK: %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: %[[LOW:.*]] = call i64 @__hostcl_object_low_at(i64 %[[ADDRESS]])
; CHECK-NEXT: %[[SIZE:.*]] = call i64 @__hostcl_object_size_at(i64 %[[ADDRESS]])
; CHECK: %position = sub i64 0, %[[LOW]]
; CHECK: %[[TOLD:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: call void @__hostcl_report(i64 %[[TOLD]],
define spir_kernel void @number(i64 %n) {
  %p = inttoptr i64 %n to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Null is an object without bytes, in every space.
; CHECK-LABEL: define spir_kernel void @null(
; CHECK-NOT: object_low
; CHECK: br i1 false
; CHECK: call void @__hostcl_report(
; CHECK: ret void
define spir_kernel void @null() {
  store i32 1, ptr addrspace(1) null
  ret void
}

; Pointers to private and local memory that come from memory are not followed.
; CHECK-LABEL: define spir_kernel void @from_memory(
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @from_memory(i64 %i) {
  %list = alloca ptr addrspace(3)
  %t = load ptr addrspace(3), ptr %list
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %i
  store i32 1, ptr addrspace(3) %p
  ret void
}

; Accesses are compared with the object that their pointer was derived from, and reported in its place. Groups whose
; accesses are all right take a form without checks.
; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s

target triple = "spir64"

declare i64 @__hostcl_local_id(i32)
declare i64 @__hostcl_group_id(i32)
declare i64 @__hostcl_local_size(i32)

; Nothing is known of an index that was loaded: its access is checked in all groups.
; CHECK-LABEL: define spir_kernel void @loaded_index(
; CHECK: %low = call i64 @__hostcl_object_low(i32 0)
; CHECK: %size = call i64 @__hostcl_object_size(i32 0)
; CHECK: %position{{.*}} = sub i64 %{{.*}}, %low
; CHECK: %right{{.*}} = icmp ult i64 %position{{.*}}, %limit
; CHECK: br i1 %right
; CHECK: call void @__hostcl_report(i64 %position{{.*}}ptr{{.*}} @hostcl.site
; CHECK: phi i32 [ %{{.*}} ], [ 0, %{{.*}} ]
define spir_kernel void @loaded_index(ptr addrspace(1) %a) {
  %first = load i64, ptr addrspace(1) %a
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %first
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %first
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; The local id and the size of the group bound the index: when the group begins it is known whether all are right.
; CHECK-LABEL: define spir_kernel void @known_index(
; CHECK: call i64 @__hostcl_local_size(i32 0)
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK-NEXT: br i1 %{{.*}}, label %[[PLAIN:.*]], label %[[CHECKED:.*]]
; CHECK: [[PLAIN]]:
; CHECK-NOT: __hostcl_report
; CHECK: ret void
; CHECK: [[CHECKED]]:
; CHECK: call void @__hostcl_report(
define spir_kernel void @known_index(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A constant place in a variable is right or wrong for certain.
; CHECK-LABEL: define spir_kernel void @variables(
; CHECK-NOT: __hostcl_report
; CHECK: store i32 1, ptr %last,
; CHECK: br i1 false
; CHECK: call void @__hostcl_report(i64 16,
define spir_kernel void @variables() {
  %v = alloca [4 x i32]
  %last = getelementptr i8, ptr %v, i64 12
  store i32 1, ptr %last
  %behind = getelementptr i8, ptr %v, i64 16
  store i32 1, ptr %behind
  ret void
}

; One of two objects: size and place are chosen with the pointer, and an address is reported.
; CHECK-LABEL: define spir_kernel void @one_of_two(
; CHECK: %[[LOW:.*]] = select i1 %c, i64 %low{{.*}}, i64 %low
; CHECK: %[[SIZE:.*]] = select i1 %c, i64 %size{{.*}}, i64 %size
; CHECK: ptrtoint
; CHECK: call void @__hostcl_report(
define spir_kernel void @one_of_two(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c, i64 %i) {
  %base = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  %p = getelementptr i32, ptr addrspace(1) %base, i64 %i
  store i32 1, ptr addrspace(1) %p
  ret void
}

; The host is asked about a pointer that was loaded, once, where it was loaded.
; CHECK-LABEL: define spir_kernel void @loaded_pointer(
; CHECK: call i64 @__hostcl_object_low_at(i64 %[[ADDRESS:.*]])
; CHECK-NEXT: call i64 @__hostcl_object_size_at(i64 %[[ADDRESS]])
; CHECK-NOT: object_low_at
; CHECK: ret void
define spir_kernel void @loaded_pointer(ptr addrspace(1) %list, i64 %i) {
  %base = load ptr addrspace(1), ptr addrspace(1) %list
  %p = getelementptr i32, ptr addrspace(1) %base, i64 %i
  store i32 1, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %base
  ret void
}

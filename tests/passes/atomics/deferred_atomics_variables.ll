; RUN: hostclc --passes='kernel-entry,function(deferred-atomics)' %s | FileCheck %s
; A deferred sum at an address that stays the same is a variable that begins with what changes nothing, and is made at the end of
; the range, once, unless it still is that; the update's own atomic is gone; updates without the mark stay.

declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)

; What changes no least unsigned number is all bits.
; CHECK-LABEL: define void @kinds.entry(
; CHECK: store i64 -1, ptr [[LEAST:%pending[0-9]*]], align
; CHECK: finish:
; CHECK: [[ALL:%.*]] = load i64, ptr [[LEAST]]
; CHECK: [[CHANGES:%.*]] = icmp ne i64 [[ALL]], -1
; CHECK: br i1 [[CHANGES]]
; CHECK: atomicrmw umin ptr addrspace(1) %n, i64 [[ALL]] monotonic, align 8
; CHECK: group:
; CHECK-NOT: atomicrmw
; CHECK: [[BEFORE:%.*]] = load i64, ptr [[LEAST]]
; CHECK: [[LESS:%.*]] = icmp ule i64 [[BEFORE]], %x
; CHECK: [[AFTER:%.*]] = select i1 [[LESS]], i64 [[BEFORE]], i64 %x
; CHECK: store i64 [[AFTER]], ptr [[LEAST]]
; CHECK-NOT: !hostcl.deferrable
; CHECK: }
define spir_kernel void @kinds(ptr addrspace(1) %n, i64 %x) "hostcl.dimensions"="1" {
  %a = atomicrmw umin ptr addrspace(1) %n, i64 %x monotonic, align 8, !hostcl.deferrable !0
  ret void
}

; Two places of one kind are two variables; one place that is updated twice is one.
; CHECK-LABEL: define void @two_places.entry(
; CHECK-COUNT-2: alloca i32
; CHECK-NOT: alloca i32
; CHECK: finish:
; CHECK-COUNT-2: atomicrmw add ptr addrspace(1)
; CHECK-NOT: atomicrmw add ptr addrspace(1)
; CHECK: }
define spir_kernel void @two_places(ptr addrspace(1) %n) "hostcl.dimensions"="1" {
  %second = getelementptr i32, ptr addrspace(1) %n, i64 1
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic, !hostcl.deferrable !0
  %b = atomicrmw add ptr addrspace(1) %second, i32 1 monotonic, !hostcl.deferrable !0
  %c = atomicrmw add ptr addrspace(1) %n, i32 5 monotonic, !hostcl.deferrable !0
  ret void
}

; CHECK-LABEL: define void @unmarked.entry(
; CHECK: group:
; CHECK: atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
; CHECK-NOT: finish:
; CHECK: }
define spir_kernel void @unmarked(ptr addrspace(1) %n) "hostcl.dimensions"="1" {
  %a = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  ret void
}
!0 = !{i64 0}

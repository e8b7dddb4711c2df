; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A release comes before the atomic that makes it, an acquire after it; a relaxed one orders nothing by itself.

; CHECK-LABEL: define spir_kernel void @orders(
; CHECK-NOT: race_order
; CHECK: atomicrmw add ptr addrspace(1) %relaxed
; CHECK-NOT: race_order
; CHECK: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 1)
; CHECK: store atomic i32 1, ptr addrspace(1) %release
; CHECK-NOT: race_order
; CHECK: load atomic i32, ptr addrspace(1) %acquire
; CHECK-NEXT: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 2)
; CHECK: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 1)
; CHECK: atomicrmw xchg ptr addrspace(1) %both
; CHECK-NEXT: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 2)
; CHECK: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 1)
; CHECK: cmpxchg ptr addrspace(1) %failure
; CHECK: select i1 %{{.*}}, i32 9, i32 8
; CHECK: call void @__hostcl_race_order(ptr %group, i64 %{{.*}}, i64 %item, i32 2)
; CHECK-NOT: race_order
; CHECK: ret void
define spir_kernel void @orders(ptr addrspace(1) %relaxed, ptr addrspace(1) %release, ptr addrspace(1) %acquire,
                                ptr addrspace(1) %both, ptr addrspace(1) %failure) {
  %a = atomicrmw add ptr addrspace(1) %relaxed, i32 1 monotonic
  store atomic i32 1, ptr addrspace(1) %release release, align 4
  %b = load atomic i32, ptr addrspace(1) %acquire acquire, align 4
  %c = atomicrmw xchg ptr addrspace(1) %both, i32 1 acq_rel
  %d = cmpxchg ptr addrspace(1) %failure, i32 0, i32 1 release acquire
  ret void
}

; With a fence any atomic may be a part of it.
; CHECK-LABEL: define spir_kernel void @fence(
; CHECK: call void @__hostcl_race_order({{.*}}, i32 1)
; CHECK: store atomic
; CHECK-NOT: race_order
; CHECK: load atomic
; CHECK-NEXT: call void @__hostcl_race_order({{.*}}, i32 2)
; CHECK-NOT: race_order
; CHECK: ret void
define spir_kernel void @fence(ptr addrspace(1) %a) {
  fence release
  store atomic i32 1, ptr addrspace(1) %a monotonic, align 4
  %x = load atomic i32, ptr addrspace(1) %a monotonic, align 4
  fence acquire
  ret void
}

; Private atomics order nothing.
; CHECK-LABEL: define spir_kernel void @private(
; CHECK-NOT: race
; CHECK: ret void
define spir_kernel void @private() {
  %own = alloca i32
  store atomic i32 1, ptr %own release, align 4
  ret void
}

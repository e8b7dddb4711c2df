; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; Accesses are recorded granule by granule, four granules for each call. A kernel's granules are as small as its
; smallest access and its smallest alignment; pixels and reads that are not always recorded do not count for this, and
; are recorded with the bits of the granule. The host records large accesses.

; CHECK-LABEL: define spir_kernel void @words(
; CHECK: call i1 @hostcl.race.read.global.4(ptr %group, i64 %[[AT:.*]], i64 %record)
; CHECK: call i1 @hostcl.race.write.global.4(
; CHECK: %[[SECOND:.*]] = add i64 %{{.*}}, 16
; CHECK-NEXT: call i1 @hostcl.race.write.global.2(ptr %group, i64 %[[SECOND]],
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 24,
define spir_kernel void @words(ptr addrspace(1) %a) {
  %x = load <4 x i32>, ptr addrspace(1) %a, align 4
  store [3 x i64] zeroinitializer, ptr addrspace(1) %a, align 8
  ret void
}

; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK: call i1 @hostcl.race.write.global.bytes.1(
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 1, i64 %{{.*}}, i32 %{{.*}}, ptr
; CHECK: call i1 @hostcl.race.write.global.bytes.2(
; CHECK: call i1 @hostcl.race.write.global.bytes.4(
; CHECK: %[[NEXT:.*]] = add i64 %{{.*}}, 4
; CHECK-NEXT: call i1 @hostcl.race.write.global.bytes.4(ptr %group, i64 %[[NEXT]],
define spir_kernel void @bytes(ptr addrspace(1) %a) {
  store i8 1, ptr addrspace(1) %a
  store i16 1, ptr addrspace(1) %a, align 2
  store i64 1, ptr addrspace(1) %a, align 8
  ret void
}

; CHECK-LABEL: define spir_kernel void @halves(
; CHECK: call i1 @hostcl.race.write.global.halves.1(
; CHECK: call i1 @hostcl.race.write.global.halves.2(
define spir_kernel void @halves(ptr addrspace(1) %a) {
  store i16 1, ptr addrspace(1) %a, align 2
  store i32 1, ptr addrspace(1) %a, align 4
  ret void
}

; CHECK-LABEL: define spir_kernel void @unaligned(
; CHECK: call i1 @hostcl.race.write.global.halves.2(
; CHECK: store i32 1
; CHECK-NOT: hostcl.race.
; CHECK: call void @__hostcl_race_access(ptr %group, i64 %{{.*}}, i64 128, i64 %{{.*}}, i32 %{{.*}}, ptr
; CHECK: store <32 x i32>
; CHECK-NOT: hostcl.race.
; CHECK: ret void
define spir_kernel void @unaligned(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a, align 2
  store <32 x i32> zeroinitializer, ptr addrspace(1) %a, align 128
  ret void
}

; CHECK-LABEL: define spir_kernel void @only_read(
; CHECK: br i1 %may_be_written
; CHECK: call i1 @hostcl.race.read.global.1(
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @only_read(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %x = load i8, ptr addrspace(1) %from
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @pixels(
; CHECK: %[[PLACE:.*]] = and i64 %{{.*}}, 3
; CHECK: %[[BITS:.*]] = shl i64 1, %[[PLACE]]
; CHECK: %record = or i64 %{{.*}}, %[[BITS]]
; CHECK: call i1 @hostcl.race.write.global.1(
; CHECK: %[[HALF:.*]] = shl i64 3, %
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @pixels(ptr addrspace(2) dereferenceable(64) %image) {
  %pixels = load ptr addrspace(1), ptr addrspace(2) %image
  store i8 1, ptr addrspace(1) %pixels
  store i16 1, ptr addrspace(1) %pixels, align 2
  ret void
}

; RUN: hostclc --passes='split-races,function(check-races)' %s | FileCheck %s
; What atomic operations alone access does not race. Results of a counter differ as ids do.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-NOT: __hostcl_race_
; CHECK: ret void
define spir_kernel void @counts(ptr addrspace(1) %bins, ptr addrspace(1) %from) {
  %id = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %from, i64 %id
  %bin = load i64, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %bins, i64 %bin
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define spir_kernel void @appends(
; CHECK-NOT: __hostcl_race_
; CHECK: ret void
define spir_kernel void @appends(ptr addrspace(1) %count, ptr addrspace(1) %to) {
  %ticket = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %index = zext i32 %ticket to i64
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %index
  store i32 7, ptr addrspace(1) %p
  ret void
}

; A work-item takes several tickets: how many is not known.
; CHECK-LABEL: define spir_kernel void @appends_in_a_loop(
; CHECK: __hostcl_race_access
define spir_kernel void @appends_in_a_loop(ptr addrspace(1) %count, ptr addrspace(1) %to, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %ticket = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %index = zext i32 %ticket to i64
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %index
  store i32 7, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The counter is set to another value.
; CHECK-LABEL: define spir_kernel void @appends_and_resets(
; CHECK: __hostcl_race_access
define spir_kernel void @appends_and_resets(ptr addrspace(1) %count, ptr addrspace(1) %to) {
  %ticket = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %index = zext i32 %ticket to i64
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %index
  store i32 7, ptr addrspace(1) %p
  store atomic i32 0, ptr addrspace(1) %count monotonic, align 4
  ret void
}

; Two tickets may be one number of 16 bits.
; CHECK-LABEL: define spir_kernel void @appends_narrow(
; CHECK: __hostcl_race_access
define spir_kernel void @appends_narrow(ptr addrspace(1) %count, ptr addrspace(1) %to) {
  %ticket = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %narrow = trunc i32 %ticket to i16
  %index = zext i16 %narrow to i64
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %index
  store i32 7, ptr addrspace(1) %p
  ret void
}

; Pixels lie where the image's description says.
; CHECK-LABEL: define spir_kernel void @pixels(
; CHECK-NOT: hostcl.race.
; CHECK: ret void
define spir_kernel void @pixels(ptr addrspace(2) align 64 dereferenceable(64) %out) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %data = load ptr addrspace(1), ptr addrspace(2) %out, !invariant.load !0
  %at = getelementptr i8, ptr addrspace(2) %out, i64 8
  %pitch = load i64, ptr addrspace(2) %at, !invariant.load !0
  %row = mul i64 %y, %pitch
  %column = shl i64 %x, 2
  %offset = add i64 %row, %column
  %p = getelementptr i8, ptr addrspace(1) %data, i64 %offset
  store i32 7, ptr addrspace(1) %p, align 1
  ret void
}

; What is no description of an image may point anywhere.
; CHECK-LABEL: define spir_kernel void @no_pixels(
; CHECK: hostcl.race.write
define spir_kernel void @no_pixels(ptr addrspace(2) %list) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %data = load ptr addrspace(1), ptr addrspace(2) %list, !invariant.load !0
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %x
  store i32 7, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define i1 @counts.race_free(
; CHECK: call i64 @__hostcl_object_size(i32 0)
; CHECK: call i64 @__hostcl_object_size(i32 1)

; The counter does not wrap.
; CHECK-LABEL: define i1 @appends.race_free(
; CHECK-DAG: call i64 @__hostcl_global_size(i32 0)
; CHECK-DAG: icmp sle i64 %{{.*}}, 4294967296

; CHECK-NOT: @appends_in_a_loop.race_free
; CHECK-NOT: @appends_and_resets.race_free
; CHECK-NOT: @appends_narrow.race_free
; CHECK-LABEL: define i1 @pixels.race_free(
; CHECK: getelementptr inbounds i8, ptr addrspace(2) %{{.*}}, i64 8
; CHECK-NOT: @no_pixels.race_free

!0 = !{}

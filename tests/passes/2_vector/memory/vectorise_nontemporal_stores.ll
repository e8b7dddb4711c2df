; Large outputs that are only written go past the caches.
; RUN: hostclc --passes='vectorise<width=8>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<width=16;cpu=avx512;fetches-overwritten>' %s | FileCheck --check-prefix=READS-FIRST %s
; RUN: hostclc --passes=kernel-entry %s | FileCheck --check-prefix=ENTRY %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) memory(none)

; CHECK-LABEL: @tiles
; CHECK: %[[LARGE:.*]] = icmp uge i64 %{{.*}}, 4194304
; CHECK: and i64 %{{.*}}, 63
; CHECK: br i1 %{{.*}}, label %stream, label %store
; CHECK: stream:
; CHECK-NEXT: store <8 x double> %{{.*}}, ptr addrspace(1) %q, align 64, !nontemporal
; CHECK: store:
; CHECK-NEXT: call void @llvm.masked.store
define spir_kernel void @tiles(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %height) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %row = mul i64 %g, %height
  %p = getelementptr double, ptr addrspace(1) %in, i64 %i
  %v = load double, ptr addrspace(1) %p
  %at = add i64 %row, %i
  %q = getelementptr double, ptr addrspace(1) %out, i64 %at
  store double %v, ptr addrspace(1) %q
  ret void
}

; Rows that follow each other are fetched ahead; which some hosts had better not do.
; READS-FIRST-LABEL: @rows
; READS-FIRST: store <16 x double> %{{.*}}, !nontemporal
; CHECK-LABEL: @rows
; CHECK-NOT: nontemporal
; CHECK: ret void
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_enqueued_local_size(i32 0)
  %row = mul i64 %g, %s
  %p = getelementptr double, ptr addrspace(1) %in, i64 %i
  %v = load double, ptr addrspace(1) %p
  %at = add i64 %row, %i
  %q = getelementptr double, ptr addrspace(1) %out, i64 %at
  store double %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @in_place
; CHECK-NOT: nontemporal
; CHECK: ret void
define spir_kernel void @in_place(ptr addrspace(1) %a, i64 %height) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %row = mul i64 %g, %height
  %at = add i64 %row, %i
  %p = getelementptr double, ptr addrspace(1) %a, i64 %at
  %v = load double, ptr addrspace(1) %p
  %w = fadd double %v, 1.0
  store double %w, ptr addrspace(1) %p
  ret void
}

; The texels of an image, whose address is in the image's descriptor.
; READS-FIRST-LABEL: @image
; READS-FIRST: store <16 x i32> %{{.*}}, !nontemporal
; CHECK-LABEL: @image
; CHECK: ret void
define spir_kernel void @image(ptr addrspace(2) %in, ptr addrspace(2) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %from = load ptr addrspace(1), ptr addrspace(2) %in, !invariant.load !{}
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 1
  %to = load ptr addrspace(1), ptr addrspace(2) %out, !invariant.load !{}
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %i
  store i32 %v, ptr addrspace(1) %q, align 1
  ret void
}

; READS-FIRST-LABEL: @image_in_place
; READS-FIRST-NOT: nontemporal
; READS-FIRST: ret void
define spir_kernel void @image_in_place(ptr addrspace(2) %image) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %texels = load ptr addrspace(1), ptr addrspace(2) %image, !invariant.load !{}
  %p = getelementptr i32, ptr addrspace(1) %texels, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 1
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p, align 1
  ret void
}

; CHECK-LABEL: @with_atomic
; CHECK-NOT: nontemporal
; CHECK: ret void
define spir_kernel void @with_atomic(ptr addrspace(1) %a, ptr addrspace(1) %flag, i64 %height) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %row = mul i64 %g, %height
  %at = add i64 %row, %i
  %p = getelementptr double, ptr addrspace(1) %a, i64 %at
  store double 1.0, ptr addrspace(1) %p
  store atomic i32 1, ptr addrspace(1) %flag release, align 4
  ret void
}

; ENTRY-LABEL: @streaming.entry
; ENTRY: end:
; ENTRY-NEXT: fence seq_cst
; ENTRY-NEXT: ret void
define spir_kernel void @streaming(ptr addrspace(1) %a) {
  store double 1.0, ptr addrspace(1) %a, !nontemporal !{i32 1}
  ret void
}

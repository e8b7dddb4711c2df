; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Volatile and atomic accesses are made once for each active lane, in order, with all of their marks, also where the address or
; the condition is the same for all lanes.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @same_address(
; CHECK-NOT: masked
; CHECK: [[LANES:%.*]] = bitcast <4 x i1> %mask to i4
; CHECK: store volatile i32 5, ptr addrspace(1) %a, align 4
; CHECK-NOT: masked
; CHECK: ret void
define spir_kernel void @same_address(ptr addrspace(1) %a) {
  store volatile i32 5, ptr addrspace(1) %a, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @atomic_accesses(
; CHECK: load atomic i32, ptr addrspace(1) %{{.*}} syncscope("workgroup") acquire, align 4
; CHECK: store atomic i32 %{{.*}}, ptr addrspace(1) %{{.*}} syncscope("device") release, align 4
; CHECK: ret void
define spir_kernel void @atomic_accesses(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load atomic i32, ptr addrspace(1) %p syncscope("workgroup") acquire, align 4
  store atomic i32 %v, ptr addrspace(1) %q syncscope("device") release, align 4
  ret void
}

; What volatile loads of one address give may differ from lane to lane.
; CHECK-LABEL: define {{.*}}void @loaded(
; CHECK: [[V:%.*]] = load volatile i32, ptr addrspace(1) %a, align 4
; CHECK: call void @llvm.masked.store.v4i32.p1(<4 x i32> %{{.*}}, ptr addrspace(1) align 4 %q, <4 x i1> %mask)
define spir_kernel void @loaded(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %v = load volatile i32, ptr addrspace(1) %a, align 4
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; A fence is one for all lanes.
; CHECK-LABEL: define {{.*}}void @fence(
; CHECK-COUNT-1: fence syncscope("workgroup") seq_cst
; CHECK-NOT: fence
; CHECK: ret void
define spir_kernel void @fence() {
  fence syncscope("workgroup") seq_cst
  ret void
}

; Places that follow each other are written out for when all lanes are active; their addresses are never in a vector.
; CHECK-LABEL: define {{.*}}void @row(
; CHECK-NOT: <4 x ptr
; CHECK: br i1 %{{.*}}, label %every, label %some
; CHECK: every:
; CHECK-COUNT-4: store volatile i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: store
; CHECK: some:
; CHECK: store volatile i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 4
define spir_kernel void @row(ptr addrspace(1) %a, i32 %v) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %n = trunc i64 %x to i32
  %y = add i32 %n, %v
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store volatile i32 %y, ptr addrspace(1) %q, align 4
  ret void
}

; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Compare-exchanges of all lanes on one address: the load in front has the failure's order, the commit both orders and the scope;
; pointers, volatile ones and addresses of each lane's own go lane by lane; in local memory the commit is a store.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @orders(
; CHECK: load atomic i64, ptr addrspace(1) %cell syncscope("workgroup") acquire, align 8
; CHECK: attempt:
; CHECK: turn:
; CHECK: commit:
; CHECK: cmpxchg ptr addrspace(1) %cell, i64 %memory, i64 %{{.*}} syncscope("workgroup") acq_rel acquire, align 8
; CHECK-NOT: cmpxchg
; CHECK: ret void
define spir_kernel void @orders(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %pair = cmpxchg ptr addrspace(1) %cell, i64 0, i64 %v syncscope("workgroup") acq_rel acquire, align 8
  %old = extractvalue { i64, i1 } %pair, 0
  store i64 %old, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}void @local(
; CHECK-NOT: cmpxchg
; CHECK: commit:
; CHECK: store atomic i32 5, ptr addrspace(3) %cell monotonic
; CHECK-NOT: cmpxchg
; CHECK: ret void
define spir_kernel void @local(ptr addrspace(3) %cell, ptr addrspace(1) %data) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %pair = cmpxchg ptr addrspace(3) %cell, i32 %v, i32 5 seq_cst seq_cst, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  %n = zext i1 %done to i32
  store i32 %n, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}void @of_each_lane(
; CHECK-NOT: attempt:
; CHECK: bitcast <4 x i1>
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32 0, i32 1 seq_cst monotonic
define spir_kernel void @of_each_lane(ptr addrspace(1) %data) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %x
  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 seq_cst monotonic, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @pointers(
; CHECK-NOT: attempt:
; CHECK: cmpxchg weak ptr addrspace(1) %cell, ptr addrspace(1) null, ptr addrspace(1) %{{.*}} monotonic monotonic
define spir_kernel void @pointers(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %x
  %pair = cmpxchg weak ptr addrspace(1) %cell, ptr addrspace(1) null, ptr addrspace(1) %p monotonic monotonic, align 8
  ret void
}

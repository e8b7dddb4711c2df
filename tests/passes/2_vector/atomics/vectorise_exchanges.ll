; Lanes that exchange on one address take turns on a copy of it, and one host atomic does for all.
; RUN: hostclc --passes='vectorise<width=4>' %s 2>&1 | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @compare
; CHECK: store <4 x i32> %desired, ptr %[[ARRAY:.*]], align
; CHECK: %[[LOADED:.*]] = load atomic i32, ptr addrspace(1) %cell acquire
; CHECK: attempt:
; CHECK: %[[MEMORY:.*]] = phi i32 [ %[[LOADED]], %{{.*}} ], [ %[[NOW:.*]], %commit ]
; CHECK: br i1 %{{.*}}, label %turn, label %turns.done
; CHECK: turn:
; CHECK: %[[LANE:.*]] = call i4 @llvm.cttz.i4
; CHECK: %[[VALUE:.*]] = load i32, ptr %
; CHECK: br i1 %{{.*}}, label %turn, label %commit
; CHECK: commit:
; CHECK: %[[HOST:.*]] = cmpxchg ptr addrspace(1) %cell, i32 %[[MEMORY]], i32 %[[VALUE]] seq_cst acquire
; CHECK: %[[NOW]] = extractvalue { i32, i1 } %[[HOST]], 0
; CHECK: br i1 %{{.*}}, label %turns.done, label %attempt
; CHECK: turns.done:
; CHECK: %[[SEEN:.*]] = phi <4 x i32>
; CHECK-NOT: cmpxchg
; CHECK: ret void
define spir_kernel void @compare(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %desired = load i32, ptr addrspace(1) %p
  %result = cmpxchg ptr addrspace(1) %cell, i32 7, i32 %desired seq_cst acquire
  %seen = extractvalue { i32, i1 } %result, 0
  store i32 %seen, ptr addrspace(1) %p
  ret void
}

; Nobody comes between in local memory.
; CHECK-LABEL: @compare_local
; CHECK: commit:
; CHECK-NEXT: store atomic i32 %{{.*}}, ptr addrspace(3) %cell monotonic
; CHECK-NEXT: br label %turns.done
define spir_kernel void @compare_local(ptr addrspace(3) %cell, ptr addrspace(1) %data) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %desired = load i32, ptr addrspace(1) %p
  %result = cmpxchg ptr addrspace(3) %cell, i32 7, i32 %desired monotonic monotonic
  %seen = extractvalue { i32, i1 } %result, 0
  store i32 %seen, ptr addrspace(1) %p
  ret void
}

; What is left of an exchange on local memory acquires where the exchange did.
; CHECK-LABEL: @compare_local_acquire
; CHECK: load atomic i32, ptr addrspace(3) %cell acquire
; CHECK: store atomic i32 1, ptr addrspace(3) %cell monotonic
define spir_kernel void @compare_local_acquire(ptr addrspace(3) %cell, ptr addrspace(1) %data) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %result = cmpxchg ptr addrspace(3) %cell, i32 0, i32 1 acq_rel monotonic
  %seen = extractvalue { i32, i1 } %result, 0
  store i32 %seen, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @compare_volatile
; CHECK: lane:
; CHECK: cmpxchg volatile ptr addrspace(1) %cell, i32 7, i32 %{{.*}} monotonic monotonic
define spir_kernel void @compare_volatile(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %desired = load i32, ptr addrspace(1) %p
  %result = cmpxchg volatile ptr addrspace(1) %cell, i32 7, i32 %desired monotonic monotonic
  %seen = extractvalue { i32, i1 } %result, 0
  store i32 %seen, ptr addrspace(1) %p
  ret void
}

; The last active lane's value goes to memory; each lane gets that of the one before it.
; CHECK-LABEL: @swap
; CHECK: %[[LAST:.*]] = extractelement <4 x float> %value, i32
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr addrspace(1) %cell, float %[[LAST]] acq_rel
; CHECK: shufflevector <4 x float> %value, <4 x float> %{{.*}}, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK-NOT: atomicrmw
; CHECK: ret void
define spir_kernel void @swap(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %data, i64 %i
  %value = load float, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %cell, float %value acq_rel
  store float %old, ptr addrspace(1) %p
  ret void
}

; An address that is computed from an id may be one address this time.
; CHECK-LABEL: @bits
; CHECK: %[[FIRST:.*]] = extractelement <4 x ptr addrspace(1)> %word
; CHECK: %[[NUMBERS:.*]] = call <4 x i64> @__hostcl_addresses.v4p1(<4 x ptr addrspace(1)> %word)
; CHECK: icmp ne <4 x i64> %[[NUMBERS]]
; CHECK: br i1 %{{.*}}, label %uniform, label %divergent
; CHECK: uniform:
; CHECK: atomicrmw or ptr addrspace(1) %[[FIRST]]
; CHECK: br label %joined
; CHECK: divergent:
; CHECK: lane:
; CHECK: atomicrmw or
; CHECK: br label %joined
define spir_kernel void @bits(ptr addrspace(1) %words, ptr addrspace(1) %data) {
  %l = call i64 @__hostcl_local_id(i32 0)
  %i = mul i64 %l, 3
  %w = lshr i64 %i, 5
  %word = getelementptr i32, ptr addrspace(1) %words, i64 %w
  %b = and i64 %i, 31
  %n = trunc i64 %b to i32
  %bit = shl i32 1, %n
  %old = atomicrmw or ptr addrspace(1) %word, i32 %bit monotonic
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %l
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; Neighbouring work-items update neighbouring words: two at a time.
; RUN: hostclc --passes=vectorise-4 %s 2>&1 | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @add
; CHECK: %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: %[[WITHIN:.*]] = and i64 %[[ADDRESS]], 4
; CHECK: pair:
; CHECK: active:
; CHECK: load atomic i64, ptr addrspace(1) %[[PLACE:.*]] monotonic, align 8
; CHECK: attempt:
; CHECK: %seen = phi i64
; CHECK: %[[HELD:.*]] = bitcast i64 %seen to <2 x i32>
; CHECK: %[[NEW:.*]] = add <2 x i32> %[[HELD]]
; CHECK: select <2 x i1> %{{.*}}, <2 x i32> %[[NEW]], <2 x i32> %[[HELD]]
; CHECK: cmpxchg ptr addrspace(1) %[[PLACE]], i64 %seen, i64 %{{.*}} acq_rel acquire, align 8
; CHECK-NOT: atomicrmw
; CHECK: ret void
define spir_kernel void @add(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 %x acq_rel, align 4
  ret void
}

; What the words held goes to the lanes.
; CHECK-LABEL: @exchange
; CHECK: attempt:
; CHECK: store <2 x float> %[[HELD:.*]], ptr
; CHECK: cmpxchg
; CHECK: pairs.done:
; CHECK: load <4 x float>
; CHECK: ret void
define spir_kernel void @exchange(ptr addrspace(1) %a, ptr addrspace(1) %b, float %x) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %old = atomicrmw xchg ptr addrspace(1) %p, float %x monotonic, align 4
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %old, ptr addrspace(1) %q
  ret void
}

; Updates that each thread collects.
; CHECK-LABEL: @collected
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw add {{.*}}!hostcl.deferrable
; CHECK: ret void
define spir_kernel void @collected(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4, !hostcl.deferrable !0
  ret void
}

; Words that lie apart, other sizes, and volatile updates: one by one.
; CHECK-LABEL: @apart
; CHECK-NOT: cmpxchg
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %twice = mul i64 %i, 2
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %twice
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %q = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %wide = atomicrmw add ptr addrspace(1) %q, i64 1 monotonic, align 8
  %r = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %seen = atomicrmw volatile add ptr addrspace(1) %r, i32 1 monotonic, align 4
  ret void
}

!0 = !{i64 0}

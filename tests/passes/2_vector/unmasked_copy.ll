; The code behind a guard is copied for vectors whose lanes are all active. The copy has no masks.
; RUN: hostclc --passes='function(unmasked-copy)' %s | FileCheck %s
; RUN: hostclc --passes='function(unmasked-copy<no-unmasked_copies>)' %s | FileCheck %s --check-prefix=WITHOUT
; RUN: hostclc --passes='function(unmasked-copy,instcombine<no-verify-fixpoint>)' %s | FileCheck %s --check-prefix=SIMPLE

; WITHOUT-NOT: .full

declare <8 x i1> @__hostcl_lane_mask()
declare void @__hostcl_barrier(i32) convergent
declare <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1), <8 x i1>, <8 x i32>)
declare <24 x i8> @llvm.masked.load.v24i8.p1(ptr addrspace(1), <24 x i1>, <24 x i8>)
declare void @llvm.masked.store.v8i32.p1(<8 x i32>, ptr addrspace(1), <8 x i1>)
declare void @llvm.masked.store.v8i8.p1(<8 x i8>, ptr addrspace(1), <8 x i1>)

; CHECK-LABEL: @guarded(
; CHECK: br i1 %any, label %then, label %end
; CHECK: then:
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %lanes to i8
; CHECK: %[[ALL:.*]] = icmp eq i8 %[[BITS]], -1
; CHECK: br i1 %[[ALL]], label %then.split.full, label %then.split, !prof
; CHECK: then.split.full:
; CHECK: masked.load{{.*}}, <8 x i1> splat (i1 true)
; CHECK: masked.store{{.*}}, <8 x i1> splat (i1 true)
; CHECK: br label %end
; SIMPLE-LABEL: @guarded(
; SIMPLE: then.split.full:
; SIMPLE: %[[X:.*]] = load <8 x i32>, ptr addrspace(1) %a, align 4
; SIMPLE: store <8 x i32> %[[X]], ptr addrspace(1) %b, align 4
define spir_kernel void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %id) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %lanes = select <8 x i1> %mask, <8 x i1> %guard, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %lanes to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %then, label %end
then:
  %x = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %a, <8 x i1> %lanes, <8 x i32> poison)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %x, ptr addrspace(1) align 4 %b, <8 x i1> %lanes)
  br label %end
end:
  ret void
}

; The kernel does not test whether any lane is active. A mask within the guard's mask: in the copy, the guard's part is
; true. A phi of values that paths define differently.
; CHECK-LABEL: @within(
; CHECK: entry.split.full:
; CHECK: %inner.full = select <8 x i1> splat (i1 true), <8 x i1> %odd, <8 x i1> zeroinitializer
; CHECK: join.full:
; CHECK: phi i32 [ %n, %entry.split.full ], [ 3, %then.full ]
define spir_kernel void @within(ptr addrspace(1) %a, i32 %id, <8 x i1> %odd, i32 %n) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %lanes = select <8 x i1> %mask, <8 x i1> %guard, <8 x i1> zeroinitializer
  %inner = select <8 x i1> %lanes, <8 x i1> %odd, <8 x i1> zeroinitializer
  %small = icmp slt i32 %n, 7
  br i1 %small, label %then, label %join
then:
  br label %join
join:
  %y = phi i32 [ %n, %entry ], [ 3, %then ]
  %z = insertelement <8 x i32> zeroinitializer, i32 %y, i32 0
  %x = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %a, <8 x i1> %lanes, <8 x i32> poison)
  %sum = add <8 x i32> %x, %z
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %sum, ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %z, ptr addrspace(1) align 4 %a, <8 x i1> %inner)
  ret void
}

; Every third byte is loaded: the copy may also load the bytes in the gaps, but no byte after the last third byte. The
; mask of a store keeps its gaps.
; CHECK-LABEL: @strided(
; CHECK: entry.split{{.*}}.full:
; CHECK: masked.load{{.*}}, <24 x i1> <{{(i1 true, )+}}i1 false, i1 false>, <24 x i8> poison)
define spir_kernel void @strided(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %id) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %lanes = and <8 x i1> %guard, %guard
  %gaps = shufflevector <8 x i1> %lanes, <8 x i1> zeroinitializer, <24 x i32> <i32 0, i32 8, i32 8, i32 1, i32 8, i32 8, i32 2, i32 8, i32 8, i32 3, i32 8, i32 8, i32 4, i32 8, i32 8, i32 5, i32 8, i32 8, i32 6, i32 8, i32 8, i32 7, i32 8, i32 8>
  %x = call <24 x i8> @llvm.masked.load.v24i8.p1(ptr addrspace(1) align 1 %a, <24 x i1> %gaps, <24 x i8> poison)
  %y = shufflevector <24 x i8> %x, <24 x i8> poison, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21>
  call void @llvm.masked.store.v8i8.p1(<8 x i8> %y, ptr addrspace(1) align 1 %b, <8 x i1> %lanes)
  ret void
}

; The copy ends at `join`, which vectors without active lanes reach too, and before the barrier. The phi %value of the
; source gets the copy's value as a third operand. The second guarded block, behind the barrier, has a copy of its own.
; CHECK-LABEL: @then_a_barrier(
; CHECK: first:
; CHECK: br i1 %{{.*}}, label %first.split.full, label %first.split, !prof
; CHECK: join:
; CHECK-NEXT: %value = phi <8 x i32> [ %x, %first.split ], [ zeroinitializer, %entry ], [ %x.full, %first.split.full ]
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: second:
; CHECK: br i1 %{{.*}}, label %second.split.full, label %second.split, !prof
; CHECK: first.split.full:
; CHECK: %x.full = call {{.*}}masked.load{{.*}}, <8 x i1> splat (i1 true)
; CHECK: second.split.full:
; CHECK: masked.store{{.*}}%sum.full, {{.*}}, <8 x i1> splat (i1 true)
define spir_kernel void @then_a_barrier(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %id) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %mask = call <8 x i1> @__hostcl_lane_mask()
  %lanes = select <8 x i1> %mask, <8 x i1> %guard, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %lanes to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %first, label %join
first:
  %x = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %a, <8 x i1> %lanes, <8 x i32> poison)
  br label %join
join:
  %value = phi <8 x i32> [ %x, %first ], [ zeroinitializer, %entry ]
  call void @__hostcl_barrier(i32 1)
  br i1 %any, label %second, label %end
second:
  %y = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %b, <8 x i1> %lanes, <8 x i32> poison)
  %sum = add <8 x i32> %value, %y
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %sum, ptr addrspace(1) align 4 %b, <8 x i1> %lanes)
  br label %end
end:
  ret void
}

; A value of the copied code is used behind an atomic operation. The source has no phi there, so the pass adds one.
; CHECK-LABEL: @then_an_atomic(
; CHECK: %[[X:x.*]] = phi <8 x i32> [ %x.full, %{{.*}}.full ], [ %x, %{{.*}} ]
; CHECK-NEXT: atomicrmw
; CHECK: masked.store.v8i32.p1(<8 x i32> %[[X]], ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
define spir_kernel void @then_an_atomic(ptr addrspace(1) %a, i32 %id) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %lanes = and <8 x i1> %guard, %guard
  %x = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %a, <8 x i1> %lanes, <8 x i32> poison)
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %x, ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
  ret void
}

; A guard with a condition that is the same in all lanes, as in `y < height && x < width` and `y >= height || x >= width`.
; CHECK-LABEL: @scalar_condition(
; CHECK: .full:
define spir_kernel void @scalar_condition(ptr addrspace(1) %a, i32 %id, i1 %inside) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %both = select i1 %inside, <8 x i1> %guard, <8 x i1> zeroinitializer
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %both)
  ret void
}
; CHECK-LABEL: @negated_scalar_condition(
; CHECK: .full:
define spir_kernel void @negated_scalar_condition(ptr addrspace(1) %a, i32 %id, i1 %outside) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %either = select i1 %outside, <8 x i1> splat (i1 true), <8 x i1> %guard
  %both = xor <8 x i1> %either, splat (i1 true)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %both)
  ret void
}

; Not copied: loops, and code without loads and stores that have the mask.
; CHECK-LABEL: @loop(
; CHECK-NOT: .full
define spir_kernel void @loop(ptr addrspace(1) %a, i32 %id, i32 %n) {
entry:
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %lanes = and <8 x i1> %guard, %guard
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %a, <8 x i1> %lanes, <8 x i32> poison)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %x, ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define spir_kernel void @atomic_first(ptr addrspace(1) %a, i32 %id) {
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp slt <8 x i32> %index, splat (i32 1000)
  %lanes = and <8 x i1> %guard, %guard
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
  ret void
}
; Not copied: masks that are rarely full.
define spir_kernel void @of_values(ptr addrspace(1) %a, <8 x i32> %values) {
  %lanes = icmp sgt <8 x i32> %values, zeroinitializer
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %lanes)
  ret void
}
define spir_kernel void @one_lane(ptr addrspace(1) %a, i32 %id) {
  %ids = insertelement <8 x i32> poison, i32 %id, i32 0
  %same = shufflevector <8 x i32> %ids, <8 x i32> poison, <8 x i32> zeroinitializer
  %index = add <8 x i32> %same, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %guard = icmp eq <8 x i32> %index, splat (i32 1000)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %guard)
  ret void
}
define spir_kernel void @unguarded(ptr addrspace(1) %a) {
  %mask = call <8 x i1> @__hostcl_lane_mask()
  call void @llvm.masked.store.v8i32.p1(<8 x i32> zeroinitializer, ptr addrspace(1) align 4 %a, <8 x i1> %mask)
  ret void
}

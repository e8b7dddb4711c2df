; Deferrable updates are collected while a range of work-groups runs.
; RUN: hostclc --passes='kernel-entry,function(deferred-atomics)' %s | FileCheck %s

declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)

; One address for the whole range: a variable, which is added to memory at the end unless it is zero.
; CHECK-LABEL: @one.entry
; CHECK: %pending = alloca i32
; CHECK: store i32 0, ptr %pending
; CHECK: finish:
; CHECK: %[[SUM:.*]] = load i32, ptr %pending
; CHECK: %[[CHANGES:.*]] = icmp ne i32 %[[SUM]], 0
; CHECK: br i1 %[[CHANGES]]
; CHECK: atomicrmw add ptr addrspace(1) %second{{.*}}, i32 %{{.*}} monotonic
; CHECK: group:
; CHECK-NOT: atomicrmw
; CHECK: %[[OLD:.*]] = load i32, ptr %pending
; CHECK: %[[NEW:.*]] = add i32 %[[OLD]], -3
; CHECK: store i32 %[[NEW]], ptr %pending
; CHECK-NOT: atomicrmw
define spir_kernel void @one(ptr addrspace(1) %n) "hostcl.dimensions"="1" {
  %second = getelementptr i32, ptr addrspace(1) %n, i64 1
  %old = atomicrmw sub ptr addrspace(1) %second, i32 3 monotonic, !hostcl.deferrable !0
  ret void
}

; Each group has its own address: a table in the context, whose size depends on the length of the range.
; CHECK-LABEL: @many.entry
; CHECK: start:
; CHECK: %table = getelementptr {{.*}}ptr %context, i64 0
; CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 4096)
; CHECK: %entries = call i64 @llvm.umax.i64(i64 %{{.*}}, i64 512)
; CHECK: %[[BYTES:.*]] = shl i64 %entries, 3
; CHECK: call void @llvm.memset{{.*}} %table, i8 0, i64 %[[BYTES]]
; CHECK: store i64 %{{.*}}, ptr %index.mask
; CHECK-NEXT: store i32 0, ptr %misses
; CHECK: %[[ENTRY:iv.*]] = phi i64
; CHECK: icmp ne ptr addrspace(1) %{{.*}}, null
; CHECK: atomicrmw umax
; CHECK: add nuw nsw i64 %[[ENTRY]], 1
; CHECK-NEXT: icmp eq i64 %{{.*}}, %entries
; CHECK: group:
; CHECK: lshr i64 %{{.*}}, 2
; CHECK: %[[MASK:.*]] = load i64, ptr %index.mask
; CHECK: and i64 %{{.*}}, %[[MASK]]
; CHECK: %tag = load ptr addrspace(1)
; CHECK: icmp ne ptr addrspace(1) %tag
; CHECK: other.address:
; CHECK: icmp ne ptr addrspace(1) %tag, null
; CHECK: occupied:
; CHECK: atomicrmw umax ptr addrspace(1) %tag
; CHECK: icmp sgt i32 %{{.*}}, 64
; CHECK: br i1 %{{.*}}, label %pause, label %take
; CHECK: take:
; CHECK: store i32 0
; CHECK: pause:
; CHECK: store i64 0, ptr %index.mask
; CHECK: memory:
; CHECK: atomicrmw umax ptr addrspace(1) %p{{.*}}, i32 %x monotonic
; CHECK-NOT: hostcl.deferrable
; CHECK: collect:
; CHECK: icmp ugt i32 %{{.*}}, %x
define spir_kernel void @many(ptr addrspace(1) %n, i32 %x) "hostcl.dimensions"="1" {
  %g = call i64 @__hostcl_group_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %n, i64 %g
  %old = atomicrmw umax ptr addrspace(1) %p, i32 %x monotonic, align 4, !hostcl.deferrable !0
  ret void
}

; Floats: the table has the tag and the number of operands of each entry, and behind them a list of 512 bytes for each
; entry. The function write.updates applies a list to memory.
; CHECK-LABEL: @floats.entry
; CHECK: start:
; CHECK: %table = getelementptr {{.*}}ptr %context, i64 65536
; CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 1024)
; CHECK: %entries = call i64 @llvm.umax.i64(i64 %{{.*}}, i64 256)
; CHECK: %[[BYTES:.*]] = shl i64 %entries, 4
; CHECK: call void @llvm.memset{{.*}} %table, i8 0, i64 %[[BYTES]]
; CHECK: %iv{{.*}} = phi i64
; CHECK: call void @write.updates(
; CHECK: group:
; CHECK: getelementptr inbounds [16 x i8], ptr %table
; CHECK: icmp ne ptr addrspace(1) %tag
; CHECK: occupied:
; CHECK: call void @write.updates(
; CHECK: memory:
; CHECK: atomicrmw fadd
; CHECK: collect:
; CHECK: %[[LISTS:.*]] = getelementptr inbounds i8, ptr %table, i64 16384
; CHECK: getelementptr inbounds [512 x i8], ptr %[[LISTS]]
; CHECK: store double %x, ptr
; CHECK: icmp eq i64 %{{.*}}, 64
; CHECK: call void @write.updates(
define spir_kernel void @floats(ptr addrspace(1) %n, double %x) "hostcl.dimensions"="1" {
  %old = atomicrmw fadd ptr addrspace(1) %n, double %x monotonic, align 8, !hostcl.deferrable !1
  ret void
}

; One exchange for all operands, in their order.
; CHECK-LABEL: define internal void @write.updates(
; CHECK: call void @llvm.prefetch{{.*}}(ptr addrspace(1) %[[P:.*]], i32 1, i32 3, i32 1)
; CHECK: load atomic i64, ptr addrspace(1) %[[P]] monotonic
; CHECK: fadd double
; CHECK: cmpxchg ptr addrspace(1) %{{.*}} monotonic monotonic

!0 = !{i64 0}
!1 = !{i64 65536}

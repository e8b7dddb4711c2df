; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; RUN: hostclc --passes='function(barrier-regions<no-recomputed_values>)' %s | FileCheck %s --check-prefix=WITHOUT
;
; How values and private arrays get from one region to the next.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use(i64)
declare void @use_array(ptr captures(none))

; Cheap expressions of ids and arguments are computed again, uniform ones once for the group.
; CHECK-LABEL: define {{.*}}void @recomputed(
; CHECK: group:
; CHECK: [[BASE:%base.*]] = mul i64 %{{.*}}, %n
; CHECK-NOT: @__hostcl_context
; CHECK: [[X:%chunk.*]] = phi i64
; CHECK: add i64 [[BASE]], [[X]]
; CHECK: call void @use(
; CHECK: [[X2:%chunk.*]] = phi i64
; CHECK: add i64 [[BASE]], [[X2]]
; CHECK: call void @use(
; WITHOUT-LABEL: define {{.*}}void @recomputed(
; WITHOUT: [[ID:%.*]] = add i64 %base
; WITHOUT: store i64 [[ID]], ptr
; WITHOUT: [[KEPT:%.*]] = load i64, ptr
; WITHOUT: call void @use(i64 [[KEPT]])
define spir_kernel void @recomputed(i64 %n) "hostcl.dimensions"="1" {
  %g = call i64 @__hostcl_group_id(i32 0)
  %base = mul i64 %g, %n
  %x = call i64 @__hostcl_local_id(i32 0)
  %id = add i64 %base, %x
  call void @use(i64 %id)
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %id)
  ret void
}

; A uniform load stays in a register.
; CHECK-LABEL: define {{.*}}void @shared(
; CHECK-NOT: @__hostcl_context
define spir_kernel void @shared(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %v = load i64, ptr addrspace(1) %p
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %v)
  ret void
}

; What an atomic returns differs.
; CHECK-LABEL: define {{.*}}void @atomic(
; CHECK: @__hostcl_context
define spir_kernel void @atomic(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %v = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %v)
  ret void
}

; The same in each iteration for all that are in it, but items leave the loop after different iterations: %id of them.
; CHECK-LABEL: define {{.*}}void @iterations(
; CHECK: [[SEEN:%next.*]] = xor i64 %{{.*}}, 1
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i8, ptr %slot,
; CHECK: store i64 [[SEEN]], ptr [[SLOT]]
; CHECK-NOT: xor
; CHECK: [[AGAIN:%.*]] = getelementptr inbounds i8, ptr %slot,
; CHECK: [[KEPT:%.*]] = load i64, ptr [[AGAIN]]
; CHECK: call void @use(i64 [[KEPT]])
define spir_kernel void @iterations(i64 %m) "hostcl.dimensions"="1" {
entry:
  %id = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %v = phi i64 [ %m, %entry ], [ %next, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %next = xor i64 %v, 1
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %id
  br i1 %again, label %loop, label %behind
behind:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %next)
  ret void
}

; Work-items part in the loop's header and leave it elsewhere: what each saw last is its own.
; CHECK-LABEL: define {{.*}}void @left_one_by_one(
; CHECK: store i64 {{.*}}, ptr %
; CHECK: load i64, ptr %
; CHECK: call void @use(i64 %
define spir_kernel void @left_one_by_one(i64 %n) "hostcl.dimensions"="1" {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %y = mul i64 %i, 5
  %some = icmp ult i64 %x, %i
  br i1 %some, label %rest, label %latch
rest:
  call void @use(i64 0)
  %last = icmp uge i64 %i, %n
  br i1 %last, label %after, label %latch
latch:
  %i.next = add i64 %i, 1
  br label %loop
after:
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %y)
  ret void
}

; Two values that are never needed at the same time share a slot: 8 bytes for each chunk, not 16.
; CHECK-LABEL: define {{.*}}void @slots(
; CHECK-SAME: [[SLOTS:#[0-9]+]]
define spir_kernel void @slots(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  %v = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %v)
  %w = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  call void @__hostcl_barrier(i32 1)
  call void @use(i64 %w)
  ret void
}

; An array whose contents outlive the barrier has a copy for each chunk; one that is used in one region only stays on
; the stack.
; CHECK-LABEL: define {{.*}}void @arrays(
; CHECK-SAME: [[ARRAYS:#[0-9]+]]
; CHECK-NOT: %across = alloca
; CHECK: %within = alloca [4 x i32]
; CHECK-NOT: %across = alloca
; CHECK: [[ELEMENT:%.*]] = getelementptr inbounds i8, ptr %slot
; CHECK: call void @use_array(ptr [[ELEMENT]])
; CHECK: call void @use_array(ptr %within)
define spir_kernel void @arrays() "hostcl.dimensions"="1" {
  %across = alloca [4 x i32]
  %within = alloca [4 x i32]
  call void @use_array(ptr %across)
  call void @__hostcl_barrier(i32 1)
  call void @use_array(ptr %across)
  call void @use_array(ptr %within)
  ret void
}

; A big array goes to the context even without barriers.
; CHECK-LABEL: define {{.*}}void @big_array(
; CHECK-SAME: [[BIG:#[0-9]+]]
; CHECK-NOT: alloca
define spir_kernel void @big_array() "hostcl.dimensions"="1" {
  %array = alloca [65536 x i32]
  call void @use_array(ptr %array)
  ret void
}

; CHECK-DAG: attributes [[SLOTS]] = {{.*}}"hostcl.context_per_chunk"="8"
; CHECK-DAG: attributes [[ARRAYS]] = {{.*}}"hostcl.context_per_chunk"="16"
; CHECK-DAG: attributes [[BIG]] = {{.*}}"hostcl.context_fixed"="262144" "hostcl.context_per_chunk"="0"

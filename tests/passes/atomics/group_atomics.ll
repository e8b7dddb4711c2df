; One host atomic for a group whose work-items use what it returns.
; RUN: hostclc --passes='function(group-atomics)' %s | FileCheck %s
; RUN: hostclc --passes='function(group-atomics<no-group_atomics>)' %s | FileCheck %s --check-prefix=WITHOUT
; RUN: hostclc --passes='function(group-atomics<no-merged_groups>)' %s | FileCheck %s --check-prefix=UNMERGED
; UNMERGED-NOT: groups_merge

declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) memory(none)

; CHECK-DAG: @total = internal addrspace(3) global i32 undef
; CHECK-DAG: @made = internal addrspace(3) global i32 undef
; CHECK-DAG: @base = internal addrspace(3) global i32 undef

; CHECK-LABEL: @append
; The first vector of the group begins anew.
; CHECK: %[[FIRST:.*]] = icmp eq i64 %{{.*}}, 0
; CHECK: %[[TOTAL:.*]] = load atomic i32, ptr addrspace(3) @total
; CHECK: %[[START:.*]] = select i1 %[[FIRST]], i32 0, i32 %[[TOTAL]]
; CHECK: store atomic i32 %[[START]], ptr addrspace(3) @total
; CHECK: %[[BEFORE:.*]] = atomicrmw add ptr addrspace(3) @total, i32 %x monotonic
; CHECK: call void @__hostcl_barrier(i32 0)
; CHECK: %[[MADE:.*]] = atomicrmw xchg ptr addrspace(3) @made, i32 1
; CHECK: %[[FIRST_HERE:.*]] = icmp eq i32 %[[MADE]], 0
; CHECK: br i1 %[[FIRST_HERE]]
; CHECK: %[[ALL:.*]] = load atomic i32, ptr addrspace(3) @total
; CHECK: %[[OLD:.*]] = atomicrmw sub ptr addrspace(1) %n, i32 %[[ALL]] acq_rel
; CHECK: store atomic i32 %[[OLD]], ptr addrspace(3) @base
; CHECK: %[[BASE:.*]] = load atomic i32, ptr addrspace(3) @base
; CHECK: %[[MINE:.*]] = sub i32 %[[BASE]], %[[BEFORE]]
; CHECK: store i32 %[[MINE]]
; WITHOUT-LABEL: @append
; WITHOUT: %old = atomicrmw sub ptr addrspace(1) %n, i32 %x acq_rel
; WITHOUT-NEXT: store i32 %old
define spir_kernel void @append(ptr addrspace(1) %n, ptr addrspace(1) %out, i32 %x) "hostcl.width"="4" "hostcl.dimensions"="1" {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %old = atomicrmw sub ptr addrspace(1) %n, i32 %x acq_rel
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; The first vector comes last in reverse order: it cannot prepare anything for the others.
; CHECK-LABEL: @reversed
; CHECK-NOT: call void @__hostcl_barrier
define spir_kernel void @reversed(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.reversed"="true" {
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; In loops, on addresses that differ, with other operations, or if the result is not used: as it was.
; CHECK-LABEL: @others
; CHECK-NOT: call void @__hostcl_barrier
define spir_kernel void @others(ptr addrspace(1) %n, ptr addrspace(1) %out, i32 %x) "hostcl.width"="4" {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %a = atomicrmw add ptr addrspace(1) %p, i32 %x monotonic
  %b = atomicrmw max ptr addrspace(1) %n, i32 %a monotonic
  %c = atomicrmw add ptr addrspace(1) %n, i32 %b monotonic
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  %more = icmp ult i32 %old, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Scalar code has no vectors to count.
; CHECK-LABEL: @scalar
; CHECK-NOT: call void @__hostcl_barrier
define spir_kernel void @scalar(ptr addrspace(1) %n, ptr addrspace(1) %out, i32 %x) {
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; Groups that no work-item can tell from each other may be run as one.
; CHECK: define spir_kernel void @blind({{.*}}) #[[BLIND:[0-9]+]]
define spir_kernel void @blind(ptr addrspace(1) %n, ptr addrspace(1) %in, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" {
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %size, %group
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %start
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %id = add i64 %start, %i
  %double = shl i64 %id, 1
  %old = atomicrmw add ptr addrspace(1) %n, i32 %x monotonic
  %r = getelementptr i32, ptr addrspace(1) %out, i64 %double
  store i32 %old, ptr addrspace(1) %r
  ret void
}

; CHECK: define spir_kernel void @stores_local_id({{.*}}) #[[SEEING:[0-9]+]]
define spir_kernel void @stores_local_id(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" {
  %i = call i64 @__hostcl_local_id(i32 0)
  %old = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %old
  store i64 %i, ptr addrspace(1) %r
  ret void
}

; CHECK: define spir_kernel void @two_starts({{.*}}) #[[SEEING]]
define spir_kernel void @two_starts(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" {
  %group = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %size, %group
  %i = call i64 @__hostcl_local_id(i32 0)
  %id = add i64 %start, %i
  %more = add i64 %start, %id
  %old = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %more
  store i64 %old, ptr addrspace(1) %r
  ret void
}

; CHECK: define spir_kernel void @carried({{.*}}) #[[SEEING]]
define spir_kernel void @carried(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %old = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = sub i64 %i, 1
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %j
  store i64 %old, ptr addrspace(1) %r
  %more = icmp ult i64 %j, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: define spir_kernel void @number_of_group({{.*}}) #[[SEEING]]
define spir_kernel void @number_of_group(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" {
  %group = call i64 @__hostcl_group_id(i32 0)
  %old = atomicrmw add ptr addrspace(1) %n, i64 1 monotonic
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %group
  store i64 %old, ptr addrspace(1) %r
  ret void
}

; CHECK: define spir_kernel void @lanes({{.*}}) #[[LANES:[0-9]+]]
define spir_kernel void @lanes(ptr addrspace(1) %n, ptr addrspace(1) %out) "hostcl.width"="4" "hostcl.dimensions"="1" "hostcl.uniform_groups"="true" "hostcl.sees_vectors"="true" {
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}

; CHECK: attributes #[[BLIND]] = { "hostcl.dimensions"="1" "hostcl.groups_merge"="true"
; CHECK: attributes #[[SEEING]] =
; CHECK-NOT: groups_merge
; CHECK: attributes #[[LANES]] =
; CHECK-NOT: groups_merge

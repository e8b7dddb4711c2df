; One host atomic for a group whose work-items use what it returns.
; RUN: hostclc --passes='function(group-atomics)' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

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

; In loops, on addresses that differ, with other operations, or if nobody uses the result: as it was.
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

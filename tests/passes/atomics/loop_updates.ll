; RUN: hostclc --passes='function(loop-updates)' %s | FileCheck %s
; RUN: hostclc --passes='function(loop-updates<no-loop_updates>)' %s | FileCheck %s --check-prefix=WITHOUT
;
; Which updates of a loop become one update after it.

declare void @__hostcl_barrier(i32) convergent
declare i64 @__hostcl_local_id(i32) memory(none)
declare void @unknown()
declare void @__hostcl_coverage_count(i32, i64) memory(inaccessiblemem: readwrite)
declare void @__hostcl_coverage_mark(i32, i64) memory(inaccessiblemem: readwrite)

; Under a condition, and in a loop without a preheader: memory is left alone unless there is something to add.
; CHECK-LABEL: @conditional
; CHECK: loop:
; CHECK: %[[SUM:.*]] = phi i32 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %latch ]
; CHECK: some:
; CHECK-NEXT: %[[MORE:.*]] = add i32 %[[SUM]], %x
; CHECK: latch:
; CHECK-NEXT: %[[NEXT]] = phi i32 [ %[[MORE]], %some ], [ %[[SUM]], %loop ]
; CHECK: %[[ANY:.*]] = icmp ne i32 %[[NEXT]], 0
; CHECK-NEXT: br i1 %[[ANY]]
; CHECK: atomicrmw add ptr addrspace(1) %out, i32 %[[NEXT]] monotonic
; CHECK-NOT: atomicrmw
; WITHOUT-LABEL: @conditional
; WITHOUT: some:
; WITHOUT-NEXT: atomicrmw add ptr addrspace(1) %out, i32 %x monotonic
define spir_kernel void @conditional(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %done, label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %a, i32 %k
  %x = load i32, ptr addrspace(1) %place
  %odd = trunc i32 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %old = atomicrmw add ptr addrspace(1) %out, i32 %x monotonic
  br label %latch
latch:
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Two loops around it, and two updates of one kind: differences are negative sums.
; CHECK-LABEL: @nested
; CHECK: outer:
; CHECK-NOT: atomicrmw
; CHECK: inner:
; CHECK: sub i64 0, %k
; CHECK-NOT: atomicrmw
; CHECK: br i1 %again, label %outer
; CHECK: icmp ne i64
; CHECK: atomicrmw add ptr addrspace(3) %sum
; CHECK-NOT: atomicrmw
; CHECK: ret void
define spir_kernel void @nested(ptr addrspace(3) %sum, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %first = atomicrmw add ptr addrspace(3) %sum, i64 %j monotonic
  %second = atomicrmw sub ptr addrspace(3) %sum, i64 %k monotonic
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %outer, label %done
done:
  ret void
}

; Identities of minima and bits.
; CHECK-LABEL: @kinds
; CHECK-DAG: phi i32 [ 2147483647, %entry ]
; CHECK-DAG: phi i32 [ -1, %entry ]
; CHECK-DAG: atomicrmw min ptr addrspace(3) %a
; CHECK-DAG: atomicrmw and ptr addrspace(3) %b
define spir_kernel void @kinds(ptr addrspace(3) noalias %a, ptr addrspace(3) noalias %b, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old.a = atomicrmw min ptr addrspace(3) %a, i32 %k monotonic
  %old.b = atomicrmw and ptr addrspace(3) %b, i32 %k monotonic
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Other work-items cannot read the counters of executions.
; CHECK-LABEL: @counted
; CHECK: phi i32 [ 0, %entry ]
; CHECK: call void @__hostcl_coverage_count(i32 1, i64 1)
; CHECK: call void @__hostcl_coverage_mark(i32 0, i64 2)
; CHECK: icmp ne i32
; CHECK: atomicrmw add ptr addrspace(1) %out
; CHECK: ret void
define spir_kernel void @counted(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  call void @__hostcl_coverage_count(i32 1, i64 1)
  call void @__hostcl_coverage_mark(i32 0, i64 2)
  %old = atomicrmw add ptr addrspace(1) %out, i32 %k monotonic
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Another access that may be of the same memory, in the loop.
; CHECK-LABEL: @read
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more, label %loop
define spir_kernel void @read(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %x = load i32, ptr addrspace(1) %a
  %old = atomicrmw add ptr addrspace(1) %out, i32 %x monotonic
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; An update of another kind at the same place, whose order counts.
; CHECK-LABEL: @kinds_mixed
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: atomicrmw max
; CHECK: br i1 %more, label %loop
define spir_kernel void @kinds_mixed(ptr addrspace(3) %a, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old = atomicrmw add ptr addrspace(3) %a, i32 %k monotonic
  %old.max = atomicrmw max ptr addrspace(3) %a, i32 3 monotonic
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What tells others how far the work-item has come.
; CHECK-LABEL: @barrier
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more, label %loop
define spir_kernel void @barrier(ptr addrspace(3) %a, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old = atomicrmw add ptr addrspace(3) %a, i32 %k monotonic
  call void @__hostcl_barrier(i32 1)
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @flag
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more, label %loop
define spir_kernel void @flag(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %flag) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %x = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @calls
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br i1 %more, label %loop
define spir_kernel void @calls(ptr addrspace(3) %a, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old = atomicrmw add ptr addrspace(3) %a, i32 %k monotonic
  call void @unknown()
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Results, orders, addresses that change, floats, and loops without an end.
; CHECK-LABEL: @others
; CHECK: loop:
; CHECK: atomicrmw add ptr addrspace(3) %a
; CHECK: atomicrmw add ptr addrspace(3) %moving
; CHECK: atomicrmw fadd
; CHECK: br i1 %more, label %loop
define spir_kernel void @others(ptr addrspace(3) noalias %a, ptr addrspace(3) noalias %b, ptr addrspace(3) noalias %c,
                                i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old.a = atomicrmw add ptr addrspace(3) %a, i32 %k acq_rel
  %moving = getelementptr i32, ptr addrspace(3) %b, i32 %k
  %old.b = atomicrmw add ptr addrspace(3) %moving, i32 1 monotonic
  %old.c = atomicrmw fadd ptr addrspace(3) %c, float 1.0 monotonic
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @endless
; CHECK: loop:
; CHECK: atomicrmw add
; CHECK: br label %loop
define spir_kernel void @endless(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  br label %loop
}

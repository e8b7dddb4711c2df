; RUN: hostclc --passes='function(disjoint-buffers)' %s | FileCheck %s
; RUN: hostclc --passes='function(disjoint-buffers,loop-mssa(licm))' %s | FileCheck %s --check-prefix=LICM
;
; Which accesses have the scopes of which arguments.

; CHECK-LABEL: @two
; CHECK: load i32, ptr addrspace(1) %p, align 4, !alias.scope [[A:![0-9]+]], !noalias [[NOT_A:![0-9]+]]
; CHECK: atomicrmw add ptr addrspace(1) %b, i32 %x monotonic, align 4, !alias.scope [[NOT_A]], !noalias [[A]]
define spir_kernel void @two(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %i) "hostcl.buffers_disjoint"="true" {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %b, i32 %x monotonic
  ret void
}

; Launches that say nothing.
; CHECK-LABEL: @unknown
; CHECK-NOT: !alias.scope
define spir_kernel void @unknown(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = load i32, ptr addrspace(1) %a
  store i32 %x, ptr addrspace(1) %b
  ret void
}

; A selected address is of both, a pointer that moves on is of where it began, and constants are buffers as well.
; CHECK-LABEL: @selected
; CHECK: store i32 1, ptr addrspace(1) %p, align 4, !alias.scope [[AB:![0-9]+]], !noalias [[C:![0-9]+]]
; CHECK: load i32, ptr addrspace(2) %q, align 4, !alias.scope [[C]], !noalias [[AB]]
define spir_kernel void @selected(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(2) %c, i1 %first)
    "hostcl.buffers_disjoint"="true" {
entry:
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %next, %loop ]
  %q = phi ptr addrspace(2) [ %c, %entry ], [ %q.next, %loop ]
  store i32 1, ptr addrspace(1) %p
  %x = load i32, ptr addrspace(2) %q
  %q.next = getelementptr i32, ptr addrspace(2) %q, i64 1
  %moved = getelementptr i32, ptr addrspace(1) %p, i64 1
  %next = select i1 %first, ptr addrspace(1) %moved, ptr addrspace(1) %b
  %more = icmp slt i32 %x, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What was loaded, made of a number, private or local, or is the caller's copy of a structure: no scopes.
; CHECK-LABEL: @elsewhere
; CHECK: %loaded = load ptr addrspace(1), ptr addrspace(1) %a, align 8, !alias.scope
; CHECK-NOT: !alias.scope
; CHECK: store i32 7, ptr addrspace(1) %b, align 4, !alias.scope
; CHECK-NOT: !alias.scope
; CHECK: ret void
define spir_kernel void @elsewhere(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %number, ptr addrspace(3) %local,
    ptr addrspace(2) byval(i32) %copy, i1 %first) "hostcl.buffers_disjoint"="true" {
  %loaded = load ptr addrspace(1), ptr addrspace(1) %a
  store i32 1, ptr addrspace(1) %loaded
  %made = inttoptr i64 %number to ptr addrspace(1)
  store i32 2, ptr addrspace(1) %made
  %either = select i1 %first, ptr addrspace(1) %a, ptr addrspace(1) %loaded
  store i32 3, ptr addrspace(1) %either
  store i32 4, ptr addrspace(3) %local
  %x = load i32, ptr addrspace(2) %copy
  %variable = alloca i32
  store i32 %x, ptr %variable
  call void @other(ptr addrspace(1) %a)
  store i32 7, ptr addrspace(1) %b
  ret void
}
declare void @other(ptr addrspace(1))

; A generic pointer is of the argument that it is made of; copies are of both their arguments, gathers of their base.
; CHECK-LABEL: @calls
; CHECK: store i32 1, ptr addrspace(4) %g, align 4, !alias.scope [[OF_A:![0-9]+]], !noalias [[OF_BC:![0-9]+]]
; CHECK: call void @llvm.memcpy{{.*}}, !alias.scope [[OF_AB:![0-9]+]], !noalias [[OF_C:![0-9]+]]
; CHECK: call <2 x i32> @llvm.masked.gather{{.*}}, !alias.scope [[OF_C]], !noalias [[OF_AB]]
define spir_kernel void @calls(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, <2 x i64> %i)
    "hostcl.buffers_disjoint"="true" {
  %g = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  store i32 1, ptr addrspace(4) %g
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 8, i1 false)
  %p = getelementptr i32, ptr addrspace(1) %c, <2 x i64> %i
  %x = call <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)> %p, i32 4, <2 x i1> splat (i1 true),
                                                     <2 x i32> poison)
  ret void
}

; Scopes that there are stay.
; CHECK-LABEL: @more
; CHECK: load i32, ptr addrspace(1) %a, align 4, !alias.scope [[BOTH:![0-9]+]]
define spir_kernel void @more(ptr addrspace(1) %a, ptr addrspace(1) %b) "hostcl.buffers_disjoint"="true" {
  %x = load i32, ptr addrspace(1) %a, !alias.scope !0
  store i32 %x, ptr addrspace(1) %b
  ret void
}
; CHECK-DAG: [[BOTH]] = !{![[#]], ![[#]]}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}

; A sum stays in a register if the loop reads another buffer, and in memory if it reads by a loaded pointer.
; LICM-LABEL: @sum
; LICM: loop:
; LICM-NOT: store
; LICM: exit:
; LICM: store i32 {{.*}}, ptr addrspace(1) %out
define spir_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) "hostcl.buffers_disjoint"="true" {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %k
  %x = load i32, ptr addrspace(1) %p
  %old = load i32, ptr addrspace(1) %out
  %new = add i32 %old, %x
  store i32 %new, ptr addrspace(1) %out
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; LICM-LABEL: @sum_of_loaded
; LICM: loop:
; LICM: store i32 {{.*}}, ptr addrspace(1) %out
; LICM: exit:
define spir_kernel void @sum_of_loaded(ptr addrspace(1) %in, ptr addrspace(1) %out) "hostcl.buffers_disjoint"="true" {
entry:
  %data = load ptr addrspace(1), ptr addrspace(1) %in
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %k
  %x = load i32, ptr addrspace(1) %p
  %old = load i32, ptr addrspace(1) %out
  %new = add i32 %old, %x
  store i32 %new, ptr addrspace(1) %out
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; Only global and local memory is shared. What is constant, or a group's scratch, is not noted, nor are generic pointers of
; unknown space.

declare ptr addrspace(3) @__hostcl_group_scratch()

; CHECK-LABEL: define spir_kernel void @not_shared(
; CHECK-NOT: race
; CHECK: ret void
define spir_kernel void @not_shared(ptr addrspace(2) %c, ptr addrspace(4) %g, ptr addrspace(1) %a) {
  %own = alloca i32
  %x = load i32, ptr addrspace(2) %c
  store i32 %x, ptr %own
  store i32 %x, ptr addrspace(4) %g
  %scratch = call ptr addrspace(3) @__hostcl_group_scratch()
  %p = getelementptr i32, ptr addrspace(3) %scratch, i64 3
  store i32 %x, ptr addrspace(3) %p
  %y = load i32, ptr addrspace(1) %a, !invariant.load !0
  ret void
}

; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: call i1 @hostcl.race.write.local.1(
; CHECK: call i1 @hostcl.race.write.global.1(
define spir_kernel void @shared(ptr addrspace(3) %t, ptr addrspace(1) %a) sanitize_thread {
  store i32 1, ptr addrspace(3) %t
  store i32 1, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK-NOT: race
; CHECK: ret void
define void @function(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  ret void
}

; No pass has added an access until here; from here on, passes may.
; CHECK-NOT: sanitize_thread
!0 = !{}

; RUN: hostclc --passes='function(check-commands)' %s | FileCheck %s --check-prefixes=CHECK,ALONE
; RUN: hostclc --passes='function(check-commands<check-races>)' %s | FileCheck %s --check-prefixes=CHECK,RACES
; The host is told of accesses to memory that commands share, with how they are made: 1 writes, 2 is atomic, 4 may order.

@table = internal addrspace(2) constant [4 x i32] zeroinitializer
@variable = internal addrspace(1) global i32 0

declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; CHECK-LABEL: define spir_kernel void @plain(
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK-NEXT: call void @__hostcl_command_access(i64 %[[A]], i64 4, i32 0, ptr @{{.*}})
; CHECK-NEXT: load i32, ptr addrspace(1) %a
; CHECK: call void @__hostcl_command_access(i64 ptrtoint (ptr addrspace(1) @variable to i64), i64 4, i32 1, ptr @{{.*}})
; CHECK-NEXT: store i32 %x, ptr addrspace(1) @variable
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 8, i32 0, ptr @{{.*}})
; CHECK-NEXT: load <2 x i32>, ptr addrspace(2) %c
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 %n, i32 1, ptr @{{.*}})
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 %n, i32 0, ptr @{{.*}})
; CHECK-NEXT: call void @llvm.memcpy
define spir_kernel void @plain(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(2) %c, i64 %n) {
  %x = load i32, ptr addrspace(1) %a
  store i32 %x, ptr addrspace(1) @variable
  %y = load <2 x i32>, ptr addrspace(2) %c
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 4, i32 3, ptr @{{.*}})
; CHECK-NEXT: atomicrmw add
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 4, i32 6, ptr @{{.*}})
; CHECK-NEXT: load atomic
; CHECK: %pair = cmpxchg
; CHECK: %[[SUCCESS:.*]] = extractvalue { i32, i1 } %pair, 1
; CHECK-NEXT: %[[HOW:.*]] = select i1 %[[SUCCESS]], i32 3, i32 2
; CHECK: call void @__hostcl_command_access(i64 %{{.*}}, i64 4, i32 %[[HOW]], ptr @{{.*}})
define spir_kernel void @atomic(ptr addrspace(1) %a) {
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %now = load atomic i32, ptr addrspace(1) %a acquire, align 4
  %pair = cmpxchg ptr addrspace(1) %a, i32 0, i32 1 monotonic monotonic
  ret void
}

; What is constant, a group's or a work-item's own is not told, nor are generic pointers of unknown space.
; CHECK-LABEL: define spir_kernel void @own(
; CHECK-NOT: command_access
; CHECK: ret void
define spir_kernel void @own(ptr addrspace(3) %t, ptr addrspace(4) %g) {
  %own = alloca i32
  %x = load i32, ptr addrspace(2) @table
  store i32 %x, ptr %own
  store i32 %x, ptr addrspace(3) %t
  store i32 %x, ptr addrspace(4) %g
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK-NOT: command_access
; CHECK: ret void
define void @function(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  ret void
}

; No pass has added an access until here; from here on, passes may, unless the check for races is on, too.
; ALONE-NOT: sanitize_thread
; RACES: define spir_kernel void @marked({{.*}}) #[[MARKED:[0-9]+]]
; RACES: attributes #[[MARKED]] = { sanitize_thread }
define spir_kernel void @marked(ptr addrspace(1) %a) sanitize_thread {
  ret void
}

; RUN: hostclc --passes='function(address-space-queries)' %s | FileCheck %s
; A generic pointer of unknown origin counts as global; a constant expression is looked through; queries that are not
; called stay no calls.

@tile = internal addrspace(3) global [4 x i32] undef
@table = internal addrspace(2) constant [4 x i32] zeroinitializer
declare i32 @__hostcl_address_space(ptr addrspace(4)) nounwind willreturn speculatable memory(none)
declare ptr addrspace(4) @other()
declare void @use(i32)

; CHECK-LABEL: define void @unknown(
; CHECK-COUNT-4: call void @use(i32 1)
; CHECK-NOT: call void @use
; CHECK: ret void
define void @unknown(ptr addrspace(4) %argument, ptr addrspace(1) %places) {
  %loaded = load ptr addrspace(4), ptr addrspace(1) %places
  %a = call i32 @__hostcl_address_space(ptr addrspace(4) %argument)
  call void @use(i32 %a)
  %b = call i32 @__hostcl_address_space(ptr addrspace(4) %loaded)
  call void @use(i32 %b)
  %returned = call ptr addrspace(4) @other()
  %c = call i32 @__hostcl_address_space(ptr addrspace(4) %returned)
  call void @use(i32 %c)
  %d = call i32 @__hostcl_address_space(ptr addrspace(4) null)
  call void @use(i32 %d)
  ret void
}

; CHECK-LABEL: define void @constants(
; CHECK-NEXT: call void @use(i32 3)
; CHECK-NEXT: call void @use(i32 2)
; CHECK-NEXT: ret void
define void @constants() {
  %a = call i32 @__hostcl_address_space(ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(3) @tile to ptr addrspace(4)), i64 4))
  call void @use(i32 %a)
  %b = call i32 @__hostcl_address_space(ptr addrspace(4) addrspacecast (ptr addrspace(2) @table to ptr addrspace(4)))
  call void @use(i32 %b)
  ret void
}

; A pointer that went through global is what it was cast from last.
; CHECK-LABEL: define void @there_and_back(
; CHECK: call void @use(i32 1)
define void @there_and_back(ptr addrspace(4) %p) {
  %g = addrspacecast ptr addrspace(4) %p to ptr addrspace(1)
  %q = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %q)
  call void @use(i32 %s)
  ret void
}

; No query, no change: nothing is computed beside pointers that no query asks about.
; CHECK-LABEL: define ptr addrspace(4) @not_asked(
; CHECK-NOT: i32
; CHECK: ret ptr addrspace(4)
define ptr addrspace(4) @not_asked(ptr addrspace(4) %p, ptr addrspace(4) %q, i1 %c) {
  %s = select i1 %c, ptr addrspace(4) %p, ptr addrspace(4) %q
  ret ptr addrspace(4) %s
}

; RUN: hostclc --passes='function(address-space-queries)' %s | FileCheck %s
; The address space of a generic pointer follows from the casts that it comes from; events vanish.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; CHECK-LABEL: define i32 @merged(
; CHECK: %space = phi i32 [ 3, %left ], [ 1, %right ]
; CHECK: ret i32 %space
define i32 @merged(i1 %c, ptr addrspace(3) %l, ptr addrspace(1) %g) {
  br i1 %c, label %left, label %right
left:
  %from_local = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  br label %join
right:
  %from_global = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  br label %join
join:
  %p = phi ptr addrspace(4) [ %from_local, %left ], [ %from_global, %right ]
  %q = getelementptr i32, ptr addrspace(4) %p, i64 5
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %q)
  ret i32 %s
}

; A pointer that walks through a loop stays where it started.
; CHECK-LABEL: define i32 @loop(
; CHECK: %space = phi i32 [ 0, %entry ], [ %space, %body ]
define i32 @loop(ptr %start, i32 %n) {
entry:
  %first = addrspacecast ptr %start to ptr addrspace(4)
  br label %body
body:
  %p = phi ptr addrspace(4) [ %first, %entry ], [ %next, %body ]
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %next = getelementptr i32, ptr addrspace(4) %p, i64 1
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %body, label %end
end:
  %s = call i32 @__hostcl_address_space(ptr addrspace(4) %next)
  ret i32 %s
}

; CHECK-LABEL: define void @events(
; CHECK-NOT: store
; CHECK-NOT: load
; CHECK: ret void
define void @events(i1 %c, target("spirv.Event") %e) {
  %events = alloca [2 x target("spirv.Event")]
  store target("spirv.Event") %e, ptr %events
  %again = load target("spirv.Event"), ptr %events
  %either = select i1 %c, target("spirv.Event") %again, target("spirv.Event") zeroinitializer
  store target("spirv.Event") %either, ptr %events
  ret void
}

declare i32 @__hostcl_address_space(ptr addrspace(4))

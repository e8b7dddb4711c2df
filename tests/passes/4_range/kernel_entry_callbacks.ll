; Calls of host callbacks go through the launch, and those that concern it get it as well.
; RUN: hostclc --passes=kernel-entry %s | FileCheck %s

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"

declare i32 @__hostcl_enqueue_kernel(ptr)
declare i32 @__hostcl_query_block(i32, ptr addrspace(4), ptr)
declare void @__hostcl_release_event(i64)
declare i64 @__hostcl_default_queue() nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define void @k.entry(ptr {{.*}}%launch,
; CHECK: %default_queue = load i64
; CHECK: [[CONTEXT:%context[0-9]+]] = load ptr
; CHECK: [[CALLBACK:%callback[0-9]*]] = load ptr
; CHECK: call i32 [[CALLBACK]](ptr [[CONTEXT]], ptr %launch, ptr %child{{.*}})
; CHECK: call i32 %callback{{[0-9]*}}(ptr %context{{[0-9]*}}, ptr %launch, i32 2, ptr addrspace(4) inttoptr (i64 3 to ptr addrspace(4)), ptr null)
; CHECK: call void %callback{{[0-9]*}}(ptr %context{{[0-9]*}}, i64 %default_queue)
; CHECK-NOT: @__hostcl_default_queue()
define spir_kernel void @k() {
  %child = alloca [80 x i8]
  %r = call i32 @__hostcl_enqueue_kernel(ptr %child)
  %n = call i32 @__hostcl_query_block(i32 2, ptr addrspace(4) inttoptr (i64 3 to ptr addrspace(4)), ptr null)
  %q = call i64 @__hostcl_default_queue()
  call void @__hostcl_release_event(i64 %q)
  ret void
}

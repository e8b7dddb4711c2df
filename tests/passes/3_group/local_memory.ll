; RUN: hostclc --passes='function(local-memory)' %s | FileCheck %s

@a = internal addrspace(3) global [3 x i32] undef, align 4
@unused = internal addrspace(3) global [3 x i32] undef, align 4
@b = internal addrspace(3) global [256 x i8] undef, align 128
declare ptr addrspace(3) @__hostcl_group_scratch() nounwind willreturn speculatable memory(none)

; CHECK-NOT: @a =
; CHECK: @unused =
; CHECK-NOT: @b =

; Scratch of work-group functions, then variables in the module's order, each aligned.
; CHECK-LABEL: define {{.*}}void @k(
; CHECK-SAME: [[K:#[0-9]+]]
; CHECK: %local = call ptr addrspace(3) @__hostcl_local_base()
; CHECK: [[SCRATCH:%scratch.*]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: %a = getelementptr inbounds i8, ptr addrspace(3) %local, i64 1024
; CHECK: %b = getelementptr inbounds i8, ptr addrspace(3) %local, i64 1152
; CHECK: store i32 1, ptr addrspace(3) [[SCRATCH]]
; CHECK: [[ELEMENT:%.*]] = getelementptr {{.*}}ptr addrspace(3) %a, {{.*}}1
; CHECK: store i32 2, ptr addrspace(3) [[ELEMENT]]
; CHECK: store i8 3, ptr addrspace(3) %b
define spir_kernel void @k() {
  %scratch = call ptr addrspace(3) @__hostcl_group_scratch()
  store i32 1, ptr addrspace(3) %scratch
  store i32 2, ptr addrspace(3) getelementptr ([3 x i32], ptr addrspace(3) @a, i64 0, i64 1)
  store i8 3, ptr addrspace(3) @b
  ret void
}

; More alignment than the block has takes padding.
@page = internal addrspace(3) global [3 x i32] undef, align 4096
; CHECK-LABEL: define {{.*}}void @aligned(
; CHECK-SAME: [[ALIGNED:#[0-9]+]]
; CHECK: %local = call ptr addrspace(3) @__hostcl_local_base()
; CHECK: %page = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: [[LAST:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %page, i64 3968
; CHECK: [[PLACE:%.*]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) [[LAST]], i64 -4096)
; CHECK: store i32 1, ptr addrspace(3) [[PLACE]]
define spir_kernel void @aligned() {
  store i32 1, ptr addrspace(3) @page
  ret void
}

; CHECK: attributes [[K]] = {{.*}}"hostcl.group_scratch"="true" "hostcl.static_local_bytes"="1408"
; CHECK: attributes [[ALIGNED]] = { "hostcl.static_local_bytes"="4096"

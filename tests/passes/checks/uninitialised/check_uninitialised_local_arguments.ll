; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; The shadow of a local argument lies after it, at a multiple of 128 bytes.

; CHECK: c"an uninitialised value from argument 0, 't', is stored in global memory\00"

; CHECK-LABEL: define spir_kernel void @argument(
; CHECK: %size = call i64 @__hostcl_object_size(i32 0)
; CHECK: %[[MORE:.*]] = add i64 %size, 127
; CHECK: %[[ROUNDED:.*]] = and i64 %[[MORE]], -128
; CHECK: %[[START:.*]] = ptrtoint ptr addrspace(3) %t to i64
; CHECK: %[[AFTER:.*]] = add i64 %[[START]], %[[ROUNDED]]
; CHECK: %t.shadow = inttoptr i64 %[[AFTER]] to ptr addrspace(3)
; CHECK: call void @llvm.memset{{.*}}(ptr addrspace(3) align 1 %t.shadow, i8 -1, i64 %[[ROUNDED]],
; CHECK: load i32, ptr addrspace(3) %t.shadow
; CHECK: call void @__hostcl_report(
define spir_kernel void @argument(ptr addrspace(3) %t, ptr addrspace(1) %a) {
  %x = load i32, ptr addrspace(3) %t
  store i32 %x, ptr addrspace(1) %a
  ret void
}

; What a call may have written counts as written.
; CHECK-LABEL: define spir_kernel void @passed_on(
; CHECK-NOT: shadow
; CHECK-NOT: report
; CHECK: ret void
define spir_kernel void @passed_on(ptr addrspace(3) %t, ptr addrspace(1) %a) {
  call void @f(ptr addrspace(3) %t)
  %x = load i32, ptr addrspace(3) %t
  %own = alloca i32
  store i32 %x, ptr %own
  call void @g(ptr %own)
  ret void
}
declare void @f(ptr addrspace(3))
declare void @g(ptr)

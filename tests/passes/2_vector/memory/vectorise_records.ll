; Kernels that do little but move records stay scalar.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @fall
; CHECK-NOT: <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @fall(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %y = getelementptr [32 x i8], ptr addrspace(1) %a, i64 %i
  %v = getelementptr i8, ptr addrspace(1) %y, i64 16
  %speed = load float, ptr addrspace(1) %v
  %place = load float, ptr addrspace(1) %y
  %faster = fadd float %speed, -1.0
  %lower = fadd float %place, %faster
  store float %faster, ptr addrspace(1) %v
  store float %lower, ptr addrspace(1) %y
  ret void
}

; Much arithmetic makes up for the gathers.
; CHECK-LABEL: @iterate
; CHECK: @llvm.masked.gather
define spir_kernel void @iterate(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %y = getelementptr [32 x i8], ptr addrspace(1) %a, i64 %i
  %v = getelementptr i8, ptr addrspace(1) %y, i64 16
  %speed = load float, ptr addrspace(1) %v
  %place = load float, ptr addrspace(1) %y
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %place, %entry ], [ %lower, %loop ]
  %lower = fadd float %x, %speed
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store float %lower, ptr addrspace(1) %v
  store float %lower, ptr addrspace(1) %y
  ret void
}

; A uniform or affine instruction has the form CLONE, and a varying one the form WIDEN. The printer print<plan> and the
; vectoriser print the same plan; the vectoriser prints it before it writes the kernel.
; RUN: hostclc --passes='function(print<plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: plan of 'scale{{.*}}' for 8 lanes{{$}}
; CHECK-NEXT: {{^}}%entry: cost 8{{$}}
; CHECK-NEXT: {{^}}  CLONE             %i = call i64 @__hostcl_local_id(i32 0){{$}}
; CHECK-NEXT: CLONE             %n = add i32 %m, 1
; CHECK-NEXT: CLONE             %p = getelementptr float, ptr addrspace(1) %a, i64 %i
; CHECK-NEXT: CONTIGUOUS        %x = load float, ptr addrspace(1) %p, align 4; stride 4{{$}}
; CHECK-NEXT: WIDEN             %y = fmul float %x, %x
; CHECK-NEXT: CLONE             %z = uitofp i32 %n to float
; CHECK-NEXT: WIDEN             %s = fadd float %y, %z
; CHECK-NEXT: CONTIGUOUS        store float %s, ptr addrspace(1) %p, align 4; stride 4{{$}}
; CHECK-NEXT: CLONE             ret void
define spir_kernel void @scale(ptr addrspace(1) %a, i32 %m) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %n = add i32 %m, 1
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = fmul float %x, %x
  %z = uitofp i32 %n to float
  %s = fadd float %y, %z
  store float %s, ptr addrspace(1) %p
  ret void
}

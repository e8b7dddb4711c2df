; How many lanes suit a kernel.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare float @llvm.fma.f32(float, float, float)

; Each iteration waits for the last one: several registers for each value.
; CHECK: define spir_kernel void @chain({{.*}}) #[[WIDE:[0-9]+]]
define spir_kernel void @chain(ptr addrspace(1) %a, float %c, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %start = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %z, %loop ]
  %y = call float @llvm.fma.f32(float %x, float %c, float %x)
  %z = call float @llvm.fma.f32(float %y, float %c, float %x)
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  store float %z, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[WIDE]] = { "hostcl.width"="32" }

; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; What waits for memory has one.
; CHECK: define spir_kernel void @sum({{.*}}) #[[NARROW:[0-9]+]]
define spir_kernel void @sum(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ 0.0, %entry ], [ %z, %loop ]
  %q = getelementptr float, ptr addrspace(1) %a, i64 %k
  %y = load float, ptr addrspace(1) %q
  %z = fadd float %y, %x
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, 100
  br i1 %again, label %loop, label %done
done:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float %z, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[NARROW]] = { "hostcl.width"="8" }

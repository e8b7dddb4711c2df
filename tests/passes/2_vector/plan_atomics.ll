; Atomics have a form of their own, and need an active lane.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: plan of 'atomics
; CHECK: {{^}}%then: {{.*}}, skipped without lanes{{$}}
; CHECK: ATOMIC            %n = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
; CHECK: ATOMIC            %e = cmpxchg ptr addrspace(1) %p, i32 0, i32 %n monotonic monotonic
define spir_kernel void @atomics(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %end
then:
  %n = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %e = cmpxchg ptr addrspace(1) %p, i32 0, i32 %n monotonic monotonic
  br label %end
end:
  ret void
}

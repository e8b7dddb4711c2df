; Updates of a uniform address are one host atomic. If the address may be uniform, a test at run time decides. All other
; updates are one host atomic for each lane. Blocks with atomics are skipped if no lane is active.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;no-vector_atomics;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=EACH

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK: plan of 'atomics
; CHECK: {{^}}%then: {{.*}}, skipped without lanes{{$}}
; CHECK: REDUCE            %n = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4{{$}}
; CHECK: REDUCE            %o = atomicrmw or ptr addrspace(1) %w, i32 1 monotonic{{.*}}; if a test of the guess succeeds{{$}}
; CHECK: ATOMIC            %s = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
; CHECK: ATOMIC            %r = atomicrmw fadd ptr addrspace(1) %a, float 1.000000e+00 monotonic
; CHECK: ATOMIC            %e = cmpxchg ptr addrspace(1) %p, i32 0, i32 %n monotonic monotonic
; EACH: ATOMIC            %n = atomicrmw add
define spir_kernel void @atomics(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %end
then:
  %n = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %word = lshr i64 %i, 2
  %w = getelementptr i32, ptr addrspace(1) %a, i64 %word
  %o = atomicrmw or ptr addrspace(1) %w, i32 1 monotonic
  %index = sext i32 %x to i64
  %g = getelementptr i32, ptr addrspace(1) %a, i64 %index
  %s = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
  %r = atomicrmw fadd ptr addrspace(1) %a, float 1.0 monotonic
  store float %r, ptr addrspace(1) %p
  %e = cmpxchg ptr addrspace(1) %p, i32 0, i32 %n monotonic monotonic
  br label %end
end:
  ret void
}

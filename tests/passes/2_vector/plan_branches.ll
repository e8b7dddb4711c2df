; A branch is one jump for all lanes, or becomes masks. A block that costs much, or that must not run without an active
; lane, is skipped if no lane is active. A branch that controls a barrier is one jump even if its condition is
; divergent.
; RUN: hostclc --passes='function(vectorise<width=8;print-plan>)' %s 2>&1 >/dev/null | FileCheck %s
; RUN: hostclc --passes='function(vectorise<width=8;no-skipped_blocks;print-plan>)' %s 2>&1 >/dev/null \
; RUN:   | FileCheck %s --check-prefix=ALWAYS

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent
declare float @llvm.exp.f32(float)
declare float @opaque(float)

; CHECK: plan of 'branches
; CHECK: {{^}}%entry: cost 5{{$}}
; CHECK: BRANCH-ON-MASK    br i1 %c, label %short, label %next
; CHECK: {{^}}%short: cost 1{{$}}
; CHECK: {{^}}%next: cost 0{{$}}
; CHECK: WIDEN             %v = phi float
; CHECK: BRANCH-ON-MASK    br i1 %c, label %long, label %rest
; CHECK: {{^}}%long: cost 18, skipped without lanes{{$}}
; CHECK: {{^}}%rest:
; CHECK: BRANCH-ON-MASK    switch i32 %x, label %out [
; CHECK: {{^}}%call: cost 43, skipped without lanes{{$}}
; CHECK: {{^}}%out:
; CHECK: CLONE             %s = phi i32
; CHECK: CLONE             br i1 %u, label %one, label %end
; ALWAYS: {{^}}%long: cost 18{{$}}
; ALWAYS: {{^}}%call: cost 43, skipped without lanes{{$}}
define spir_kernel void @branches(ptr addrspace(1) %a, i32 %m) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %f = bitcast i32 %x to float
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %short, label %next
short:
  %g = fadd float %f, %f
  br label %next
next:
  %v = phi float [ %f, %entry ], [ %g, %short ]
  br i1 %c, label %long, label %rest
long:
  %e1 = call float @llvm.exp.f32(float %v)
  %e2 = call float @llvm.exp.f32(float %e1)
  %e3 = call float @llvm.exp.f32(float %e2)
  br label %rest
rest:
  %w = phi float [ %v, %next ], [ %e3, %long ]
  switch i32 %x, label %out [ i32 1, label %call
                              i32 2, label %end ]
call:
  %y = call float @opaque(float %w)
  store float %y, ptr addrspace(1) %p
  br label %out
out:
  %s = phi i32 [ %m, %rest ], [ %m, %call ]
  %u = icmp eq i32 %s, 3
  br i1 %u, label %one, label %end
one:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK: plan of 'barrier
; CHECK: BRANCH-ON-ANY     br i1 %c, label %then, label %end
define spir_kernel void @barrier(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %end
then:
  call void @__hostcl_barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

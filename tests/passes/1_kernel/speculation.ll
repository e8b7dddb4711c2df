; RUN: hostclc --passes='function(speculation<off>)' %s | FileCheck %s --check-prefixes=CHECK,OFF
; RUN: hostclc --passes='function(speculation<off>,simplifycfg)' %s | FileCheck %s --check-prefix=KEPT
; RUN: hostclc --passes='function(simplifycfg)' %s | FileCheck %s --check-prefix=MOVED
; RUN: hostclc --passes='function(speculation<off>,speculation<on>)' %s | FileCheck %s --check-prefixes=CHECK,ON
; RUN: not hostclc --passes='function(speculation<maybe>)' %s 2>&1 | FileCheck %s --check-prefix=ERROR

; ERROR: the parameter of speculation is 'maybe'; it must be on or off

; A load stays under its condition, also where LLVM may take it out.
; CHECK: define spir_kernel void @k({{.*}}) [[ATTRIBUTES:#[0-9]+]]
; KEPT: br i1 %c
; MOVED-NOT: br i1 %c
define spir_kernel void @k(i1 %c, ptr addrspace(1) dereferenceable(4) align 4 %p, ptr addrspace(1) %out) nofree nosync {
  br i1 %c, label %reads, label %done
reads:
  %x = load i32, ptr addrspace(1) %p, align 4
  br label %done
done:
  %y = phi i32 [ 0, %0 ], [ %x, %reads ]
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; Functions are not kernels.
; CHECK: define void @f() {
define void @f() {
  ret void
}

; OFF: attributes [[ATTRIBUTES]] = {{.*}}sanitize_thread
; ON-NOT: sanitize_thread

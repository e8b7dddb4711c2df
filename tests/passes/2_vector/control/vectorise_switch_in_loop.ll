; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; A switch by data in a loop: lanes that leave the loop by one of its cases keep what they had then, whatever the others go on
; to compute; lanes that go round merge by masks, and the loop lasts until no lane is left.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @k(
; CHECK-NOT: switch
; CHECK: icmp eq <8 x i32> [[V:%.*]], splat (i32 3)
; CHECK: icmp eq <8 x i32> [[V]], splat (i32 9)
; The back edge is taken while lanes are left.
; CHECK: [[LEFT:%.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: [[SOME:%.*]] = icmp ne i8 [[LEFT]], 0
; CHECK: br i1 [[SOME]]
; CHECK: call void @llvm.masked.store
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %start = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %first = load i32, ptr addrspace(1) %start
  br label %loop
loop:
  %v = phi i32 [ %first, %entry ], [ %next, %latch ]
  %n = phi i32 [ 0, %entry ], [ %n.next, %latch ]
  switch i32 %v, label %plain [ i32 3, label %special
                                i32 9, label %end ]
plain:
  %half = lshr i32 %v, 1
  br label %latch
special:
  %more = mul i32 %v, 5
  br label %latch
latch:
  %next = phi i32 [ %half, %plain ], [ %more, %special ]
  %n.next = add i32 %n, 1
  %again = icmp ult i32 %n.next, 100
  br i1 %again, label %loop, label %end
end:
  %r = phi i32 [ %n, %loop ], [ %n.next, %latch ]
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %r, ptr addrspace(1) %to
  ret void
}

; A condition that controls a barrier is the same for the whole group, whatever it is computed from: it stays a branch.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare void @__hostcl_barrier(i32) convergent

; CHECK-LABEL: @iterations
; CHECK: loop:
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: %more = icmp ult <4 x i32> %{{.*}}, %n
; CHECK: %[[LANES:.*]] = select <4 x i1> %mask, <4 x i1> %more, <4 x i1> zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[LANES]] to i4
; CHECK: %[[ANY:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK: br i1 %[[ANY]]
; CHECK-NOT: phi <4 x i1>
; CHECK: ret void
define spir_kernel void @iterations(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %n = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__hostcl_barrier(i32 1)
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %next, ptr addrspace(1) %p
  ret void
}

; Items that return early are gone; the others go on to the barrier.
; CHECK-LABEL: @early
; CHECK: %[[IN:.*]] = xor <4 x i1> %out, splat (i1 true)
; CHECK: %[[REST:.*]] = select <4 x i1> %mask, <4 x i1> %[[IN]], <4 x i1> zeroinitializer
; CHECK: call void @__hostcl_barrier(i32 1)
; CHECK: call void @llvm.masked.store.v4i32.p1(<4 x i32> splat (i32 7), ptr addrspace(1) align 4 %p, <4 x i1> %[[REST]])
define spir_kernel void @early(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %out = icmp uge i64 %i, %n
  br i1 %out, label %done, label %body
body:
  call void @__hostcl_barrier(i32 1)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 7, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; Lanes that stay may still leave by the second way before they meet the barrier: they need not stay together.
; CHECK-LABEL: @two_ways
; CHECK: %[[STAY:.*]] = xor <4 x i1> %out, splat (i1 true)
; CHECK: select <4 x i1> %{{.*}}, <4 x i1> %[[STAY]], <4 x i1> zeroinitializer
; CHECK: call void @__hostcl_barrier(i32 1)
define spir_kernel void @two_ways(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %meet ]
  %n = load i32, ptr addrspace(1) %p
  %out = icmp eq i32 %n, %k
  br i1 %out, label %done, label %second
second:
  store i32 7, ptr addrspace(1) %p
  %enough = icmp eq i32 %k, 9
  br i1 %enough, label %done, label %meet
meet:
  call void @__hostcl_barrier(i32 1)
  %next = add i32 %k, 1
  br label %loop
done:
  ret void
}

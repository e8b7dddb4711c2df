; A loop that lanes leave one by one runs until none is left; what a lane left with is kept.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @halve
; CHECK: loop:
; CHECK: %[[ACTIVE:.*]] = phi <4 x i1> [ %[[AGAIN:.*]], %loop.end ], [ %mask, %{{.*}} ]
; CHECK: %[[MORE:.*]] = icmp ugt <4 x i32>
; CHECK: %[[AGAIN]] = select <4 x i1> %[[ACTIVE]], <4 x i1> %[[MORE]], <4 x i1> zeroinitializer
; CHECK: %[[DONE:.*]] = select <4 x i1> %[[ACTIVE]], <4 x i1> %{{.*}}, <4 x i1> zeroinitializer
; CHECK: select <4 x i1> %[[DONE]], <4 x i32>
; CHECK: loop.end:
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[AGAIN]] to i4
; CHECK: %[[ANY:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK: br i1 %[[ANY]], label %loop, label %loop.leave
define spir_kernel void @halve(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %y = phi i32 [ %x, %entry ], [ %half, %loop ]
  %count = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %count, 1
  %half = lshr i32 %y, 1
  %more = icmp ugt i32 %half, 1
  br i1 %more, label %loop, label %done
done:
  store i32 %next, ptr addrspace(1) %p
  ret void
}

; The same trip count for all lanes: the counter stays a scalar, the branch a branch.
; CHECK-LABEL: @sum
; CHECK: loop:
; CHECK: phi i32 [ %next, %{{.*}} ], [ 0,
; CHECK: %more = icmp slt i32 %next, %n
; CHECK: br i1 %more
define spir_kernel void @sum(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %x = load i32, ptr addrspace(1) %p
  %t = add i32 %s, %x
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %t, ptr addrspace(1) %p
  ret void
}

; A value that lanes choose in each iteration is none of the next: only what the program carries on is a phi.
; CHECK-LABEL: @join_in_loop
; CHECK: loop:
; CHECK-COUNT-2: = phi
; CHECK-NOT: = phi
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> %t, <4 x i32> splat (i32 7)
; CHECK: ret void
define spir_kernel void @join_in_loop(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ %v, %entry ], [ %more, %join ]
  %odd = trunc i32 %sum to i1
  br i1 %odd, label %then, label %join
then:
  %t = mul i32 %sum, 3
  br label %join
join:
  %chosen = phi i32 [ %t, %then ], [ 7, %loop ]
  %more = add i32 %chosen, %sum
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  store i32 %more, ptr addrspace(1) %p
  ret void
}

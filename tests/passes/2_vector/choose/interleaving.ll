; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s
; RUN: hostclc --passes='vectorise<only-if-faster;no-interleaving>' %s | FileCheck %s --check-prefix=WITHOUT
; Several registers for a value only where a loop waits for its own last result: not where its rounds do not depend on each
; other, and not where so many values are loop-carried that they would not fit.

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @waits
; CHECK: call <32 x i1> @__hostcl_lane_mask
; WITHOUT-LABEL: @waits
; WITHOUT: call <8 x i1> @__hostcl_lane_mask
define spir_kernel void @waits(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %start = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %y, %loop ]
  %y = fmul float %x, %x
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store float %y, ptr addrspace(1) %p
  ret void
}

; WITHOUT-LABEL: @scatters
; CHECK-LABEL: @scatters
; CHECK: call <8 x i1> @__hostcl_lane_mask
define spir_kernel void @scatters(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = zext i32 %k to i64
  %at = mul i64 %wide, 1000
  %place = add i64 %at, %i
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %place
  store i32 %k, ptr addrspace(1) %p
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; More lanes than a register holds where a loop waits for an atomic that one host atomic does for all of them.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @one_address
; CHECK: call <32 x i1> @__hostcl_lane_mask()
define spir_kernel void @one_address(ptr addrspace(1) %cell, ptr addrspace(1) %data) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  %start = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %start, %entry ], [ %y, %loop ]
  %y = atomicrmw xchg ptr addrspace(1) %cell, i32 %x monotonic
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %done
done:
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; Work-items that are bits of a word share it with 31 others.
; CHECK-LABEL: @bits
; CHECK: call <32 x i1> @__hostcl_lane_mask()
define spir_kernel void @bits(ptr addrspace(1) %words, ptr addrspace(1) %data) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %w = lshr i64 %i, 5
  %word = getelementptr i32, ptr addrspace(1) %words, i64 %w
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = atomicrmw or ptr addrspace(1) %word, i32 %x monotonic
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %done
done:
  store i32 %y, ptr addrspace(1) %p
  ret void
}

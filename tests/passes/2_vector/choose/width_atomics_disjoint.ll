; An atomic on an address of each work-item's own has to be made for each: more lanes help nothing.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @own_address
; CHECK: call <8 x i1> @__hostcl_lane_mask()
define spir_kernel void @own_address(ptr addrspace(1) %cells, ptr addrspace(1) %data) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %cell = getelementptr i32, ptr addrspace(1) %cells, i64 %i
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

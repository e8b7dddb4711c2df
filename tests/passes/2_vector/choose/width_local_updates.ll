; Local histograms: as many lanes as indices fill a register, where that is what the loop waits for.
; RUN: hostclc --passes='vectorise<only-if-faster>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; CHECK-LABEL: @bytes
; CHECK: call <32 x i1> @__hostcl_lane_mask()
define spir_kernel void @bytes(ptr addrspace(3) %bins, ptr addrspace(1) %data) {
entry:
  %item = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %item, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %index = load i8, ptr addrspace(1) %p
  %wide = zext i8 %index to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %wide
  atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, 100000
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @words
; CHECK: call <16 x i1> @__hostcl_lane_mask{{.*}}()
define spir_kernel void @words(ptr addrspace(3) %bins, ptr addrspace(1) %data) {
entry:
  %item = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %item, %entry ], [ %next, %loop ]
  %p = getelementptr i16, ptr addrspace(1) %data, i64 %i
  %index = load i16, ptr addrspace(1) %p
  %high = lshr i16 %index, 8
  %wide = zext i16 %high to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %wide
  atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, 100000
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The old value is asked for: lane after lane, each with a place in a vector of 32-bit numbers.
; CHECK-LABEL: @with_result
; CHECK: call <8 x i1> @__hostcl_lane_mask{{.*}}()
define spir_kernel void @with_result(ptr addrspace(3) %bins, ptr addrspace(1) %data, ptr addrspace(1) %out) {
entry:
  %item = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %item, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %data, i64 %i
  %index = load i8, ptr addrspace(1) %p
  %wide = zext i8 %index to i64
  %bin = getelementptr i32, ptr addrspace(3) %bins, i64 %wide
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %old, ptr addrspace(1) %q
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, 100000
  br i1 %more, label %loop, label %done
done:
  ret void
}

; If this fails, LLVM is mended: remove split_headers() in group_uniformity.cpp. A report for LLVM:
;   Title: [UniformityAnalysis] Temporal divergence is missed if the divergent branch ends the loop's header and the exit is elsewhere
;   Input: this kernel; opt -mtriple=amdgcn-amd-amdhsa -passes='print<uniformity>'
;   Expected: %last is divergent: each work-item leaves the loop in the iteration that has its id.
;   Got: %last is uniform. It is divergent if the header's branch moves to a block of its own.
; RUN: opt -mtriple=amdgcn-amd-amdhsa -passes='print<uniformity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: DIVERGENT: br i1 %mine
; CHECK: BLOCK exit
; CHECK-NOT: DIVERGENT
; CHECK: %last = add i32 %i, 1
define amdgpu_kernel void @f(ptr %to, i1 %leave) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mine = icmp eq i32 %i, %id
  br i1 %mine, label %then, label %latch
then:
  br i1 %leave, label %exit, label %latch
latch:
  %next = add i32 %i, 1
  br label %header
exit:
  %last = add i32 %i, 1
  store i32 %last, ptr %to
  ret void
}

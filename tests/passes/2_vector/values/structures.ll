; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s
; A structure of several values is one of vectors: lane after lane puts its parts into them, and none of another lane.

declare i64 @__hostcl_local_id(i32) memory(none)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

; CHECK-LABEL: @overflow
; CHECK: lane:
; CHECK: %[[PAIRS:.*]] = phi { <4 x i32>, <4 x i1> } [ poison, %{{.*}} ], [ %[[NEXT:.*]], %lane ]
; CHECK: %[[LANE:.*]] = call i32 @llvm.cttz.i32(
; CHECK: %[[X:.*]] = extractelement <4 x i32> %x, i32 %[[LANE]]
; CHECK: %[[PAIR:.*]] = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %[[X]], i32 %n)
; CHECK: %[[SUM:.*]] = extractvalue { i32, i1 } %[[PAIR]], 0
; CHECK: %[[SUMS:.*]] = insertelement <4 x i32> %{{.*}}, i32 %[[SUM]], i32 %[[LANE]]
; CHECK: %[[OVER:.*]] = select <4 x i1>
; CHECK: %[[NEXT]] = insertvalue { <4 x i32>, <4 x i1> } %{{.*}}, <4 x i1> %[[OVER]], 1
; CHECK: lanes.done:
; CHECK: select <4 x i1> %[[OVER]], <4 x i32> splat (i32 -1), <4 x i32> %[[SUMS]]
define spir_kernel void @overflow(ptr addrspace(1) %a, i32 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %pair = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 %n)
  %sum = extractvalue { i32, i1 } %pair, 0
  %over = extractvalue { i32, i1 } %pair, 1
  %y = select i1 %over, i32 -1, i32 %sum
  store i32 %y, ptr addrspace(1) %p
  ret void
}

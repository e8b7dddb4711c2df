; Each shape of an address has its own form of access.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; The last active lane's value stays where all lanes store to one address; a load from one is done once.
; CHECK-LABEL: @uniform
; CHECK: %x = load i32, ptr addrspace(1) %a
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %mask to i4
; CHECK: %[[WIDE:.*]] = zext i4 %[[BITS]] to i32
; CHECK: %[[ZEROS:.*]] = call i32 @llvm.ctlz.i32(i32 %[[WIDE]], i1 true)
; CHECK: %[[LAST:.*]] = sub i32 31, %[[ZEROS]]
; CHECK: %[[VALUE:.*]] = extractelement <4 x i32> %{{.*}}, i32 %[[LAST]]
; CHECK: store i32 %[[VALUE]], ptr addrspace(1) %b
define spir_kernel void @uniform(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = load i32, ptr addrspace(1) %a
  %k = trunc i64 %i to i32
  %y = mul i32 %x, %k
  store i32 %y, ptr addrspace(1) %b
  ret void
}

; CHECK-LABEL: @reversed
; CHECK: %first = getelementptr i32, ptr addrspace(1) %a, i64 %j
; CHECK-DAG: %[[LOW:.*]] = getelementptr i8, ptr addrspace(1) %first, i64 -12
; CHECK-DAG: %[[MASK:.*]] = shufflevector <4 x i1> %mask, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[X:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %[[LOW]], <4 x i1> %[[MASK]]
; CHECK: shufflevector <4 x i32> %[[X]], <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
define spir_kernel void @reversed(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %j = sub i64 100, %i
  %first = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %x = load i32, ptr addrspace(1) %first
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @gathered
; CHECK: %k = call <4 x i64> @llvm.masked.load
; CHECK: %[[P:.*]] = getelementptr float, ptr addrspace(1) %a, <4 x i64> %k
; CHECK: %[[X:.*]] = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %[[P]], <4 x i1> %mask
; CHECK: call void @llvm.masked.scatter.v4f32.v4p1(<4 x float> %[[X]], <4 x ptr addrspace(1)> align 4 %{{.*}}, <4 x i1> %mask)
define spir_kernel void @gathered(ptr addrspace(1) %index, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %index, i64 %i
  %k = load i64, ptr addrspace(1) %p
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %b, i64 %k
  store float %x, ptr addrspace(1) %to
  ret void
}

; Volatile accesses run lane by lane.
; CHECK-LABEL: @volatile
; CHECK: lane:
; CHECK: load volatile i32, ptr addrspace(1)
; CHECK: br i1 %{{.*}}, label %lane, label %lanes.done
define spir_kernel void @volatile(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %x = load volatile i32, ptr addrspace(1) %a
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; RUN: hostclc --passes='function(check-uninitialised)' %s | FileCheck %s
; Lanes of vectors and members of structures are followed one by one. What fills up a vector of three counts as written.

; CHECK-LABEL: define spir_kernel void @lanes(
; CHECK: %[[V:.*]] = load <4 x i32>, ptr %v.shadow
; CHECK: %s = fadd <4 x float> %x, %y
; CHECK-NEXT: %[[SOME:.*]] = icmp ne <4 x i32> %[[V]], zeroinitializer
; CHECK-NEXT: %[[ALL:.*]] = sext <4 x i1> %[[SOME]] to <4 x i32>
; CHECK: %lane = extractelement <4 x float> %s, i64 2
; CHECK: %[[LANE:.*]] = extractelement <4 x i32> %[[ALL]], i64 2
; CHECK: icmp ne i32 %[[LANE]], 0
; CHECK: call void @__hostcl_report(
define spir_kernel void @lanes(ptr addrspace(1) %a, <4 x float> %y) {
  %v = alloca [1 x <4 x float>]
  %x = load <4 x float>, ptr %v
  %s = fadd <4 x float> %x, %y
  %lane = extractelement <4 x float> %s, i64 2
  store float %lane, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @three(
; CHECK: %w = shufflevector <3 x float> %x, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
; CHECK: %[[FOUR:.*]] = shufflevector <3 x i32> %{{.*}}, <3 x i32> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 0>
; CHECK: and <4 x i32> %[[FOUR]], <i32 -1, i32 -1, i32 -1, i32 0>
define spir_kernel void @three(ptr addrspace(1) %a) {
  %v = alloca [1 x <3 x float>]
  %x = load <3 x float>, ptr %v
  %w = shufflevector <3 x float> %x, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store <4 x float> %w, ptr addrspace(1) %a
  ret void
}

; A lane that was put into an unwritten vector is written, the others are not.
; CHECK-LABEL: define spir_kernel void @inserted(
; CHECK-NOT: br i1
; CHECK: store i32 %y, ptr addrspace(1) %a
; CHECK: br i1 true
; CHECK: call void @__hostcl_report(
; CHECK: store i32 %z, ptr addrspace(1) %a
define spir_kernel void @inserted(ptr addrspace(1) %a, i32 %n) {
  %x = insertelement <2 x i32> undef, i32 %n, i64 0
  %y = extractelement <2 x i32> %x, i64 0
  store i32 %y, ptr addrspace(1) %a
  %z = extractelement <2 x i32> %x, i64 1
  store i32 %z, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @members(
; CHECK: %[[S:.*]] = load { i32, i8 }, ptr %v.shadow
; CHECK: extractvalue { i32, i8 } %[[S]], 1
; CHECK: icmp ne i8
define spir_kernel void @members(ptr addrspace(1) %a) {
  %v = alloca { float, i8 }
  %s = load { float, i8 }, ptr %v
  %m = extractvalue { float, i8 } %s, 1
  store i8 %m, ptr addrspace(1) %a
  ret void
}

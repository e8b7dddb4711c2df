; RUN: hostclc --passes=own-components %s | FileCheck %s
; Components of vectors in memory that work-items share are read and written alone. Other writes in between, vectors in
; private memory and whole vectors stay as they are.

; CHECK-LABEL: define void @one(
; CHECK-NEXT: store float %x, ptr addrspace(1) %p, align 16
; CHECK-NEXT: ret void
define void @one(ptr addrspace(1) %p, float %x) {
  %old = load <4 x float>, ptr addrspace(1) %p, align 16
  %new = insertelement <4 x float> %old, float %x, i64 0
  store <4 x float> %new, ptr addrspace(1) %p, align 16
  ret void
}

; CHECK-LABEL: define void @run_and_one(
; CHECK: %[[Y:.*]] = getelementptr inbounds i8, ptr addrspace(3) %p, i64 4
; CHECK: store <2 x i32> %{{.*}}, ptr addrspace(3) %[[Y]], align 4
; CHECK-NOT: store <4
define void @run_and_one(ptr addrspace(3) %p, <2 x i32> %x) {
  %old = load <4 x i32>, ptr addrspace(3) %p, align 16
  %wide = shufflevector <2 x i32> %x, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %new = shufflevector <4 x i32> %old, <4 x i32> %wide, <4 x i32> <i32 0, i32 4, i32 5, i32 3>
  store <4 x i32> %new, ptr addrspace(3) %p, align 16
  ret void
}

; CHECK-LABEL: define void @indexed(
; CHECK-NOT: load
; CHECK: %component = getelementptr <4 x float>, ptr addrspace(1) %p, i64 0, i64 %
; CHECK-NEXT: store float %x, ptr addrspace(1) %component, align 4
define void @indexed(ptr addrspace(1) %p, float %x, i32 %i) {
  %old = load <4 x float>, ptr addrspace(1) %p, align 16
  %new = insertelement <4 x float> %old, float %x, i32 %i
  store <4 x float> %new, ptr addrspace(1) %p, align 16
  ret void
}

; CHECK-LABEL: define float @read(
; CHECK: %[[Z:.*]] = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
; CHECK-NEXT: load float, ptr addrspace(1) %[[Z]], align 8
; CHECK-NOT: load
define float @read(ptr addrspace(1) %p) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %z = extractelement <4 x float> %all, i64 2
  ret float %z
}

; CHECK-LABEL: define void @written_between(
; CHECK: store <4 x float> %new
define void @written_between(ptr addrspace(1) %p, ptr addrspace(1) %q, float %x) {
  %old = load <4 x float>, ptr addrspace(1) %p, align 16
  store float 1.0, ptr addrspace(1) %q
  %new = insertelement <4 x float> %old, float %x, i64 0
  store <4 x float> %new, ptr addrspace(1) %p, align 16
  ret void
}

; CHECK-LABEL: define void @moved(
; CHECK: store <2 x float> %new
define void @moved(ptr addrspace(1) %p) {
  %old = load <2 x float>, ptr addrspace(1) %p, align 8
  %new = shufflevector <2 x float> %old, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  store <2 x float> %new, ptr addrspace(1) %p, align 8
  ret void
}

; CHECK-LABEL: define <3 x float> @three(
; CHECK-NEXT: load <4 x float>
define <3 x float> @three(ptr addrspace(1) %p) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %three = shufflevector <4 x float> %all, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  ret <3 x float> %three
}

; CHECK-LABEL: define void @private(
; CHECK: store <4 x float>
define void @private(ptr %p, float %x) {
  %old = load <4 x float>, ptr %p, align 16
  %new = insertelement <4 x float> %old, float %x, i64 0
  store <4 x float> %new, ptr %p, align 16
  ret void
}

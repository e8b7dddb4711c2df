; RUN: hostclc --passes='function(private-volatile)' %s | FileCheck %s
; RUN: hostclc --passes='function(private-volatile<no-private_volatile>)' %s | FileCheck %s --check-prefix=WITHOUT

declare void @taken(ptr)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; A number that is read stays one of its own; integers need nothing.
; CHECK-LABEL: @own(
; CHECK: store float %a, ptr %f
; CHECK: [[READ:%.*]] = load float, ptr %f
; CHECK: [[X:%.*]] = call float @llvm.arithmetic.fence.f32(float [[READ]])
; CHECK: store i32 7, ptr %i
; CHECK: [[Y:%.*]] = load i32, ptr %i
; CHECK: fadd fast float [[X]], %a
; CHECK: ret i32 [[Y]]
; WITHOUT-LABEL: @own(
; WITHOUT: load volatile float, ptr %f
; WITHOUT: load volatile i32, ptr %i
define i32 @own(float %a, ptr addrspace(1) %out) {
  %f = alloca float
  %i = alloca i32
  store volatile float %a, ptr %f
  %x = load volatile float, ptr %f
  store volatile i32 7, ptr %i
  %y = load volatile i32, ptr %i
  %s = fadd fast float %x, %a
  store float %s, ptr addrspace(1) %out
  ret i32 %y
}

; Elements of arrays, through another address space; memory of others stays volatile.
; CHECK-LABEL: @elements(
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}, i8 0, i64 16, i1 false)
; CHECK: load <2 x float>, ptr addrspace(4) %e
; CHECK: call <2 x float> @llvm.arithmetic.fence.v2f32
; CHECK: store volatile <2 x float> {{.*}}, ptr addrspace(1) %out
; CHECK: call void @llvm.memcpy.p1.p0.i64({{.*}}, i1 true)
define void @elements(i64 %n, ptr addrspace(1) %out) {
  %a = alloca [4 x <2 x float>]
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 true)
  %g = addrspacecast ptr %a to ptr addrspace(4)
  %e = getelementptr <2 x float>, ptr addrspace(4) %g, i64 %n
  %x = load volatile <2 x float>, ptr addrspace(4) %e
  store volatile <2 x float> %x, ptr addrspace(1) %out
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %out, ptr %a, i64 32, i1 true)
  ret void
}

; A variable whose address others get stays as it is.
; CHECK-LABEL: @handed_on(
; CHECK: store volatile i32 1
; CHECK: load volatile i32
define i32 @handed_on() {
  %i = alloca i32
  store volatile i32 1, ptr %i
  call void @taken(ptr %i)
  %x = load volatile i32, ptr %i
  ret i32 %x
}

; CHECK-LABEL: @address_stored(
; CHECK: store volatile i32 1
define void @address_stored(ptr addrspace(1) %out) {
  %i = alloca i32
  store volatile i32 1, ptr %i
  store ptr %i, ptr addrspace(1) %out
  ret void
}

; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; All bytes of a vector have to lie in the object: those that are stored, without what fills it up.

; CHECK-LABEL: define spir_kernel void @four(
; CHECK: call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 15)
; CHECK: phi <4 x i32> [ %x{{.*}}, %{{.*}} ], [ zeroinitializer, %{{.*}} ]
define spir_kernel void @four(ptr addrspace(1) %a, i64 %i, ptr addrspace(3) %t) {
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %x = load <4 x i32>, ptr addrspace(1) %p, align 4
  %own = alloca <4 x i32>
  store <4 x i32> %x, ptr %own
  ret void
}

; CHECK-LABEL: define spir_kernel void @three(
; CHECK: call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 11)
define spir_kernel void @three(ptr addrspace(1) %a, i64 %i) {
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  store <3 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}

; The last of four elements of a variable has 4 bytes: a vector of two reaches beyond it, one of one does not.
; CHECK-LABEL: define spir_kernel void @at_the_end(
; CHECK-NOT: __hostcl_report
; CHECK: store <1 x i32>
; CHECK: br i1 false
; CHECK: store <2 x i32>
; CHECK: call void @__hostcl_report(i64 12,
define spir_kernel void @at_the_end() {
  %v = alloca [4 x i32]
  %last = getelementptr i32, ptr %v, i64 3
  store <1 x i32> zeroinitializer, ptr %last, align 4
  store <2 x i32> zeroinitializer, ptr %last, align 4
  ret void
}

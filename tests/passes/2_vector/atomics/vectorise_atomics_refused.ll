; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
; One atomic per lane where lanes' operands must not be combined: volatile ones, floats whose results are used or that are
; serial, and operations without a sum; order and scope are the program's in every form.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}void @volatile(
; CHECK-NOT: ctpop
; CHECK: bitcast <8 x i1>
; CHECK: atomicrmw volatile add ptr addrspace(1) %n, i32 1 syncscope("device") acq_rel
define spir_kernel void @volatile(ptr addrspace(1) %n) {
  %old = atomicrmw volatile add ptr addrspace(1) %n, i32 1 syncscope("device") acq_rel
  ret void
}

; A sum that no lane looks at may be rounded in any order; one that is looked at may not, nor one that came from a loop.
; CHECK-LABEL: define {{.*}}void @floats(
; CHECK: fadd <4 x float>
; CHECK: atomicrmw fadd ptr addrspace(1) %n, float %{{.*}} monotonic
; CHECK-NOT: fadd <4 x float>
; CHECK: atomicrmw fadd ptr addrspace(1) %n, float %{{.*}} monotonic
; CHECK-NOT: fadd <4 x float>
; CHECK: atomicrmw fadd ptr addrspace(1) %n, float %{{.*}} release, align 4, !hostcl.serial
; CHECK-NOT: fadd <4 x float>
; CHECK: ret void
define spir_kernel void @floats(ptr addrspace(1) %n, ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %unused = atomicrmw fadd ptr addrspace(1) %n, float %v monotonic
  %used = atomicrmw fadd ptr addrspace(1) %n, float %v monotonic
  store float %used, ptr addrspace(1) %p
  %serial = atomicrmw fadd ptr addrspace(1) %n, float %v release, !hostcl.serial !0
  ret void
}

; CHECK-LABEL: define {{.*}}void @no_sum(
; CHECK: bitcast <8 x i1>
; CHECK: atomicrmw nand ptr addrspace(1) %n, i32 %{{.*}} seq_cst
; CHECK: bitcast <8 x i1>
; CHECK: atomicrmw uinc_wrap ptr addrspace(1) %n, i32 9 monotonic
define spir_kernel void @no_sum(ptr addrspace(1) %n, ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %one = atomicrmw nand ptr addrspace(1) %n, i32 %v seq_cst
  %two = atomicrmw uinc_wrap ptr addrspace(1) %n, i32 9 monotonic
  ret void
}

; Lanes that are not active add what changes nothing, of each operation's own.
; CHECK-LABEL: define {{.*}}void @neutral(
; CHECK: select <8 x i1> %mask, <8 x i32> %v, <8 x i32> splat (i32 -1)
; CHECK: atomicrmw and ptr addrspace(1) %n, i32 %{{.*}} syncscope("workgroup") release
; CHECK: select <8 x i1> %mask, <8 x i32> %v, <8 x i32> splat (i32 -2147483648)
; CHECK: atomicrmw max ptr addrspace(1) %n
; CHECK: select <8 x i1> %mask, <8 x i32> %v, <8 x i32> splat (i32 2147483647)
; CHECK: atomicrmw min ptr addrspace(1) %n
; CHECK: select <8 x i1> %mask, <8 x i32> %v, <8 x i32> splat (i32 -1)
; CHECK: atomicrmw umin ptr addrspace(1) %n
; CHECK: select <8 x i1> %mask, <8 x i32> %v, <8 x i32> zeroinitializer
; CHECK: atomicrmw sub ptr addrspace(1) %n
; CHECK: ret void
define spir_kernel void @neutral(ptr addrspace(1) %n, ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %one = atomicrmw and ptr addrspace(1) %n, i32 %v syncscope("workgroup") release
  %two = atomicrmw max ptr addrspace(1) %n, i32 %v monotonic
  %three = atomicrmw min ptr addrspace(1) %n, i32 %v monotonic
  %four = atomicrmw umin ptr addrspace(1) %n, i32 %v monotonic
  %five = atomicrmw sub ptr addrspace(1) %n, i32 %v monotonic
  ret void
}

; The same number for all lanes is multiplied by the number of active ones, also if the sum wraps in a byte.
; CHECK-LABEL: define {{.*}}void @counted(
; CHECK: [[ACTIVE:%.*]] = call i64 @llvm.ctpop.i64(
; CHECK: [[BYTE:%.*]] = trunc i64 [[ACTIVE]] to i8
; CHECK: [[SUM:%.*]] = mul i8 [[BYTE]], %k
; CHECK: atomicrmw add ptr addrspace(1) %n, i8 [[SUM]] monotonic
define spir_kernel void @counted(ptr addrspace(1) %n, i8 %k) {
  %one = atomicrmw add ptr addrspace(1) %n, i8 %k monotonic
  ret void
}

!0 = !{}

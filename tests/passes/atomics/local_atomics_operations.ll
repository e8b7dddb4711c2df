; RUN: hostclc --passes='function(local-atomics)' %s | FileCheck %s
; Every operation of an atomic on local memory becomes its plain form, with the old value as result: signed and unsigned,
; wrapping and saturating, of floats, volatile ones, and exchanges that succeed or fail.

; CHECK-LABEL: define {{.*}}void @integers(
; CHECK-NOT: atomicrmw
; CHECK: store i32 %x, ptr addrspace(3) %p
; CHECK: sub i32 [[OLD:%.*]], %x
; CHECK: icmp sgt i32
; CHECK: icmp ugt i32
; CHECK: icmp sle i32
; CHECK: icmp ule i32
; CHECK: and i32
; CHECK: xor i32 %{{.*}}, -1
; CHECK: ret void
define spir_kernel void @integers(ptr addrspace(3) %p, i32 %x) {
  %a = atomicrmw xchg ptr addrspace(3) %p, i32 %x monotonic
  %b = atomicrmw sub ptr addrspace(3) %p, i32 %x seq_cst
  %c = atomicrmw max ptr addrspace(3) %p, i32 %x monotonic
  %d = atomicrmw umax ptr addrspace(3) %p, i32 %x monotonic
  %e = atomicrmw min ptr addrspace(3) %p, i32 %x monotonic
  %f = atomicrmw umin ptr addrspace(3) %p, i32 %x monotonic
  %g = atomicrmw volatile nand ptr addrspace(3) %p, i32 %x acq_rel
  ret void
}

; CHECK-LABEL: define {{.*}}double @reals(
; CHECK: [[OLD:%.*]] = load double, ptr addrspace(3) %p
; CHECK: fsub double [[OLD]], %x
; CHECK: [[SECOND:%.*]] = load double, ptr addrspace(3) %p
; CHECK: call double @llvm.maxnum.f64(double [[SECOND]], double %x)
; CHECK: ret double [[SECOND]]
define spir_func double @reals(ptr addrspace(3) %p, double %x) {
  %a = atomicrmw fsub ptr addrspace(3) %p, double %x monotonic
  %b = atomicrmw fmax ptr addrspace(3) %p, double %x syncscope("workgroup") monotonic
  ret double %b
}

; Memory gets the new value if it had the expected one, and keeps its own otherwise.
; CHECK-LABEL: define {{.*}}i32 @exchange(
; CHECK: [[SEEN:%.*]] = load i64, ptr addrspace(3) %p
; CHECK: [[EQUAL:%.*]] = icmp eq i64 [[SEEN]], %a
; CHECK: [[NOW:%.*]] = select i1 [[EQUAL]], i64 %b, i64 [[SEEN]]
; CHECK: store i64 [[NOW]], ptr addrspace(3) %p
; CHECK-NOT: cmpxchg
; CHECK: ret i32
define spir_func i32 @exchange(ptr addrspace(3) %p, i64 %a, i64 %b) {
  %pair = cmpxchg weak ptr addrspace(3) %p, i64 %a, i64 %b seq_cst acquire
  %done = extractvalue { i64, i1 } %pair, 1
  %n = zext i1 %done to i32
  ret i32 %n
}

; A volatile access stays volatile; only the order goes. Fences stay, they may be about global memory.
; CHECK-LABEL: define {{.*}}void @accesses(
; CHECK-NEXT: load volatile i32, ptr addrspace(3) %p, align 4
; CHECK-NEXT: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: store i32 %{{.*}}, ptr addrspace(3) %p, align 4
; CHECK-NEXT: ret void
define spir_kernel void @accesses(ptr addrspace(3) %p) {
  %a = load atomic volatile i32, ptr addrspace(3) %p syncscope("workgroup") acquire, align 4
  fence syncscope("workgroup") acq_rel
  store atomic i32 %a, ptr addrspace(3) %p seq_cst, align 4
  ret void
}

; RUN: hostclc --passes='function(local-atomics)' %s | FileCheck %s
; Only the type of the pointer tells that memory is local: casts of it, private and constant memory and other functions'
; results keep their atomics, with order and scope.

declare ptr addrspace(3) @place()

; CHECK-LABEL: define {{.*}}void @casts(
; CHECK: atomicrmw add ptr addrspace(4) %g, i32 1 syncscope("workgroup") acquire
; CHECK: cmpxchg ptr addrspace(4) %g, i32 0, i32 1 seq_cst acquire
; CHECK: load atomic i32, ptr addrspace(4) %g acquire
; CHECK: store atomic i32 0, ptr addrspace(4) %g release
define spir_kernel void @casts(ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  %a = atomicrmw add ptr addrspace(4) %g, i32 1 syncscope("workgroup") acquire
  %b = cmpxchg ptr addrspace(4) %g, i32 0, i32 1 seq_cst acquire
  %c = load atomic i32, ptr addrspace(4) %g acquire, align 4
  store atomic i32 0, ptr addrspace(4) %g release, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @others(
; CHECK: atomicrmw volatile or ptr %own, i32 1 monotonic
; CHECK: atomicrmw xchg ptr addrspace(1) %global, i32 1 syncscope("device") release
; CHECK: store atomic i64 0, ptr addrspace(1) %global unordered
define spir_kernel void @others(ptr %own, ptr addrspace(1) %global) {
  %a = atomicrmw volatile or ptr %own, i32 1 monotonic
  %b = atomicrmw xchg ptr addrspace(1) %global, i32 1 syncscope("device") release
  store atomic i64 0, ptr addrspace(1) %global unordered, align 8
  ret void
}

; Local memory that a generic pointer was cast to is local. Blocks and order of the other instructions stay.
; CHECK-LABEL: define {{.*}}void @known_again(
; CHECK: then:
; CHECK-NEXT: [[P:%.*]] = call ptr addrspace(3) @place()
; CHECK-NEXT: [[OLD:%.*]] = load i32, ptr addrspace(3) [[P]], align 4
; CHECK-NEXT: [[NEW:%.*]] = add i32 [[OLD]], %x
; CHECK-NEXT: store i32 [[NEW]], ptr addrspace(3) [[P]], align 4
; CHECK-NEXT: br label %end
define spir_kernel void @known_again(ptr addrspace(4) %g, i32 %x, i1 %c) {
entry:
  %l = addrspacecast ptr addrspace(4) %g to ptr addrspace(3)
  br i1 %c, label %then, label %end
then:
  %p = call ptr addrspace(3) @place()
  %old = atomicrmw add ptr addrspace(3) %p, i32 %x monotonic
  br label %end
end:
  %last = atomicrmw add ptr addrspace(3) %l, i32 %x monotonic
  ret void
}

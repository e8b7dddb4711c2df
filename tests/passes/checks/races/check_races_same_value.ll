; RUN: hostclc --passes='function(check-races)' %s | FileCheck %s
; A store of what the memory has already is told apart; an atomic one, and one of odd bits, is not.

; CHECK-LABEL: define spir_kernel void @numbers(
; CHECK: %[[NOW:.*]] = load float, ptr addrspace(1) %a
; CHECK: %[[OLD:.*]] = bitcast float %[[NOW]] to i32
; CHECK: %[[FROZEN:.*]] = freeze float %x
; CHECK: %[[NEW:.*]] = bitcast float %[[FROZEN]] to i32
; CHECK: %[[SAME:.*]] = icmp eq i32 %[[OLD]], %[[NEW]]
; CHECK: %[[HOW:.*]] = select i1 %[[SAME]], i32 5, i32 1
; CHECK: call void @__hostcl_race_access({{.*}}, i32 %[[HOW]], ptr
; CHECK: store float %x
define spir_kernel void @numbers(ptr addrspace(1) %a, float %x) {
  store float %x, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @pointers(
; CHECK: ptrtoint ptr addrspace(1) %{{.*}} to i64
; CHECK: select i1 %{{.*}}, i32 7, i32 3
define spir_kernel void @pointers(ptr addrspace(3) %t, ptr addrspace(1) %x) {
  store ptr addrspace(1) %x, ptr addrspace(3) %t
  ret void
}

; CHECK-LABEL: define spir_kernel void @others(
; CHECK-NOT: select
; CHECK: ret void
define spir_kernel void @others(ptr addrspace(1) %a, i1 %b, [2 x i32] %two) {
  store atomic i32 1, ptr addrspace(1) %a monotonic, align 4
  store i1 %b, ptr addrspace(1) %a
  store [2 x i32] %two, ptr addrspace(1) %a
  ret void
}

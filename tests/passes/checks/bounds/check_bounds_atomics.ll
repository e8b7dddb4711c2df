; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Atomics in the wrong place are not performed, and return zero.

; An update is an access of kind 2, with the bytes of its type.
; CHECK-DAG: @[[ADD:hostcl.site[.0-9]*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 4, i32 0, i32 0, i32 0, i32 2, i32 1,
; CHECK-DAG: @[[EXCHANGE:hostcl.site[.0-9]*]] = internal constant { {{.*}} } { {{.*}}, i64 0, i64 8, i32 0, i32 0, i32 0, i32 2, i32 1,

; CHECK-LABEL: define spir_kernel void @update(
; CHECK: %limit = call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 3)
; CHECK: %[[RIGHT:right[0-9]*]] = icmp ult i64 %position, %limit
; CHECK: br i1 %[[RIGHT]], label %[[ACCESS:[0-9]+]], label %[[REPORT:[0-9]+]],
; CHECK: [[ACCESS]]:
; CHECK-NEXT: %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
; CHECK: [[REPORT]]:
; CHECK: call void @__hostcl_report({{.*}} @[[ADD]])
; CHECK: %[[OLD:.*]] = phi i32 [ %old, %[[ACCESS]] ], [ 0, %[[REPORT]] ]
; CHECK: store i32 %[[OLD]], ptr %result
define spir_kernel void @update(ptr addrspace(1) %a) {
  %result = alloca i32
  %index = alloca i64
  %i = load volatile i64, ptr %index
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 %old, ptr %result
  ret void
}

; CHECK-LABEL: define spir_kernel void @exchange(
; CHECK: call i64 @llvm.usub.sat.i64(i64 %{{readable|writable}}, i64 7)
; CHECK: %old = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 monotonic monotonic
; CHECK: call void @__hostcl_report({{.*}} @[[EXCHANGE]])
; CHECK: phi { i64, i1 } [ %old, %{{.*}} ], [ zeroinitializer, %{{.*}} ]
define spir_kernel void @exchange(ptr addrspace(1) %a) {
  %result = alloca { i64, i1 }
  %index = alloca i64
  %i = load volatile i64, ptr %index
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %old = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 monotonic monotonic
  store { i64, i1 } %old, ptr %result
  ret void
}

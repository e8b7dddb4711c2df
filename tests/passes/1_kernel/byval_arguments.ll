; RUN: hostclc --passes='byval-arguments' %s | FileCheck %s

%S = type { i32, float }

; CHECK-LABEL: define {{.*}}void @modifies(
; CHECK: [[COPY:%s.own]] = alloca %S, align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[COPY]], ptr align 8 %s, i64 8, i1 false)
; CHECK: store i32 1, ptr [[COPY]]
define spir_kernel void @modifies(ptr byval(%S) align 8 %s) {
  store i32 1, ptr %s
  ret void
}

; CHECK-LABEL: define {{.*}}void @reads(
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @reads(ptr byval(%S) align 8 %s, ptr addrspace(1) %p) {
  %field = getelementptr %S, ptr %s, i64 0, i32 1
  %v = load float, ptr %field
  store float %v, ptr addrspace(1) %p
  ret void
}

; A function that is no kernel has its copy whatever it does: others may change the original meanwhile.
; CHECK: define internal i32 @helper(ptr align 8 %s) [[READS:#[0-9]+]]
; CHECK: [[COPY:%s.own]] = alloca %S, align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[COPY]], ptr align 8 %s, i64 8, i1 false)
; CHECK: load i32, ptr [[COPY]]
define internal i32 @helper(ptr byval(%S) align 8 %s) memory(none) {
  %v = load i32, ptr %s
  ret i32 %v
}

; CHECK-LABEL: define internal i32 @caller(
; CHECK: call i32 @helper(ptr align 8 %s)
define internal i32 @caller(ptr %s) {
  %v = call i32 @helper(ptr byval(%S) align 8 %s)
  ret i32 %v
}
; CHECK: attributes [[READS]] = { memory(argmem: read) }

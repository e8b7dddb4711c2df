; RUN: hostclc --passes=image-values %s | FileCheck %s
; Images of every kind, arrays of them, and queues and events become plain values; attributes of other parameters stay.

; A kernel without any of them is as it was.
; CHECK-LABEL: define spir_kernel void @none(ptr addrspace(1) %a, i64 %n)
; CHECK-NEXT: store i64 %n, ptr addrspace(1) %a
define spir_kernel void @none(ptr addrspace(1) %a, i64 %n) {
  store i64 %n, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @kinds(
; CHECK-SAME: ptr addrspace(2) noundef align 64 dereferenceable(64) %three,
; CHECK-SAME: ptr addrspace(2) noundef align 64 dereferenceable(64) %written,
; CHECK-SAME: ptr addrspace(1) align 16 %buffer, i64 %queue, float %f)
define spir_kernel void @kinds(target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 0) %three,
                               target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 1) %written,
                               ptr addrspace(1) align 16 %buffer, target("spirv.Queue") %queue, float %f) {
  ret void
}

; CHECK-LABEL: define internal i64 @events(
; CHECK: %list = alloca [2 x i64]
; CHECK: %e = load i64, ptr %list
; CHECK: ret i64 %e
define internal target("spirv.DeviceEvent") @events() {
  %list = alloca [2 x target("spirv.DeviceEvent")]
  %e = load target("spirv.DeviceEvent"), ptr %list
  ret target("spirv.DeviceEvent") %e
}

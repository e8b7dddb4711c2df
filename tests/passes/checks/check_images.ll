; RUN: hostclc --passes=check-images %s | FileCheck %s
; Coordinates of writes, and of reads without a sampler, are compared with the sizes of the image.

; CHECK: c"write_imagef() at coordinates outside of the image\00"

; CHECK-LABEL: define spir_kernel void @plane(
; CHECK: %[[W:.*]] = call i32 @_Z15get_image_width14ocl_image2d_wo(ptr addrspace(4) %m)
; CHECK: icmp uge i64 %{{.*}}, %
; CHECK: call i32 @_Z16get_image_height14ocl_image2d_wo(ptr addrspace(4) %m)
; CHECK: br i1 %outside
; CHECK: call void @__hostcl_report(
; CHECK: call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(
define spir_kernel void @plane(ptr addrspace(4) %m, <2 x i32> %at) {
  call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(4) %m, <2 x i32> %at, <4 x float> zeroinitializer)
  ret void
}

; CHECK-LABEL: define void @layers(
; CHECK: @_Z15get_image_width20ocl_image1d_array_ro(
; CHECK: call i64 @_Z20get_image_array_size20ocl_image1d_array_ro(
; CHECK: call void @__hostcl_report(
; CHECK: call <4 x i32> @_Z11read_imagei20ocl_image1d_array_roDv2_i(
define void @layers(ptr addrspace(4) %m, <2 x i32> %at) {
  %x = call <4 x i32> @_Z11read_imagei20ocl_image1d_array_roDv2_i(ptr addrspace(4) %m, <2 x i32> %at)
  ret void
}

; CHECK-LABEL: define void @sampled(
; CHECK-NOT: __hostcl_report
; CHECK: ret void
define void @sampled(ptr addrspace(4) %m, ptr addrspace(4) %s, <2 x i32> %at) {
  %x = call <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(4) %m, ptr addrspace(4) %s, <2 x i32> %at)
  ret void
}

declare void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(4), <2 x i32>, <4 x float>)
declare <4 x i32> @_Z11read_imagei20ocl_image1d_array_roDv2_i(ptr addrspace(4), <2 x i32>)
declare <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(4), ptr addrspace(4), <2 x i32>)

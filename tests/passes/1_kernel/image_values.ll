; Images and samplers become plain values.
; RUN: hostclc --passes=image-values %s | FileCheck %s

; Images are addresses, samplers numbers; the library's function is marked, and its conversions are gone.
; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(2) noundef align 64 dereferenceable(64) %image, i64 %sampler, ptr addrspace(1) %out)
; CHECK-SAME: #[[KERNEL:[0-9]+]] !kernel_arg_type
; CHECK: %image.addr = alloca ptr addrspace(2)
; CHECK: store ptr addrspace(2) %image, ptr %image.addr
; CHECK: [[IMAGE:%.+]] = load ptr addrspace(2), ptr %image.addr
; CHECK: call <4 x float> @read(ptr addrspace(2) [[IMAGE]], i64 %sampler, <2 x i32> zeroinitializer)
; A literal has the greatest level of detail.
; CHECK: call <4 x float> @read(ptr addrspace(2) [[IMAGE]], i64 -281474976710636, <2 x i32> zeroinitializer)
; CHECK: select i1 %c, ptr addrspace(2) [[IMAGE]], ptr addrspace(2) poison
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler,
                           ptr addrspace(1) %out) !kernel_arg_type !0 {
  %image.addr = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0)
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, ptr %image.addr
  %i = load target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), ptr %image.addr
  %a = call <4 x float> @read(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, target("spirv.Sampler") %sampler, <2 x i32> zeroinitializer)
  %s = call target("spirv.Sampler") @__translate_sampler_initializer(i32 20)
  %b = call <4 x float> @read(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, target("spirv.Sampler") %s, <2 x i32> zeroinitializer)
  %c = load i1, ptr addrspace(1) %out
  %other = select i1 %c, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) poison
  call void @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %other)
  ret void
}

; A function of the program is not marked.
; CHECK-LABEL: define internal void @helper(ptr addrspace(2) noundef align 64 dereferenceable(64) %image) {
define internal void @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image) {
  ret void
}

; CHECK-LABEL: define internal <4 x float> @read(ptr addrspace(2) noundef align 64 dereferenceable(64) %image, i64 %sampler, <2 x i32> %c)
; CHECK-SAME: #[[MARKED:[0-9]+]]
; CHECK-NEXT: %bits = trunc i64 %sampler to i32
; CHECK-NEXT: %order = call i32 @__hostcl_image_order(ptr addrspace(2) %image)
define internal <4 x float> @read(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, <2 x i32> %c) {
  %descriptor = call ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image)
  %value = call i64 @__hostcl_sampler(target("spirv.Sampler") %sampler)
  %bits = trunc i64 %value to i32
  %order = call i32 @__hostcl_image_order(ptr addrspace(2) %descriptor)
  %sum = add i32 %bits, %order
  %x = sitofp i32 %sum to float
  %v = insertelement <4 x float> zeroinitializer, float %x, i32 0
  ret <4 x float> %v
}

; CHECK-NOT: @_Z14__hostcl_image
; CHECK-NOT: @__hostcl_sampler
; CHECK-NOT: @__translate_sampler_initializer
; CHECK: #[[KERNEL]] = { "hostcl.takes_images" }
; CHECK: #[[MARKED]] = { noinline "hostcl.image_call"="is-" }
declare target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
declare i64 @__hostcl_sampler(target("spirv.Sampler"))
declare i32 @__hostcl_image_order(ptr addrspace(2))

!0 = !{!"image2d_t", !"sampler_t", !"float4*"}

; Device queues and events become integers, also in arrays and structures. The library's conversions between both are
; removed.
; RUN: hostclc --passes=image-values %s | FileCheck %s

%struct.S = type { i32, target("spirv.Queue") }

; No image is a parameter.
; CHECK-LABEL: define spir_kernel void @k(i64 %queue, ptr addrspace(1) %events)
; CHECK-NOT: hostcl.takes_images
; CHECK: %array = alloca [2 x i64]
; CHECK: %structure = alloca %struct.S.plain
; CHECK: %literal = alloca <{ i32, i32, ptr addrspace(4), i64, i64 }>
; CHECK: [[EVENT:%.+]] = load i64, ptr addrspace(1) %events
; CHECK: [[PLACE:%.+]] = getelementptr inbounds [2 x i64], ptr %array, i64 0, i64 1
; CHECK: store i64 [[EVENT]], ptr [[PLACE]]
; CHECK: [[MEMBER:%.+]] = getelementptr inbounds %struct.S.plain, ptr %structure, i64 0, i32 1
; CHECK: store i64 %queue, ptr [[MEMBER]]
; CHECK: [[DEFAULT:%.+]] = call i64 @__hostcl_default_queue()
; CHECK: [[CHOSEN:%.+]] = select i1 %c, i64 %queue, i64 [[DEFAULT]]
; CHECK: icmp eq i64 [[CHOSEN]], 0
; CHECK: call i1 @valid(i64 [[EVENT]])
define spir_kernel void @k(target("spirv.Queue") %queue, ptr addrspace(1) %events) {
  %array = alloca [2 x target("spirv.DeviceEvent")]
  %structure = alloca %struct.S
  %literal = alloca <{ i32, i32, ptr addrspace(4), target("spirv.Queue"), target("spirv.DeviceEvent") }>
  %event = load target("spirv.DeviceEvent"), ptr addrspace(1) %events
  %place = getelementptr inbounds [2 x target("spirv.DeviceEvent")], ptr %array, i64 0, i64 1
  store target("spirv.DeviceEvent") %event, ptr %place
  %member = getelementptr inbounds %struct.S, ptr %structure, i64 0, i32 1
  store target("spirv.Queue") %queue, ptr %member
  %bits = call i64 @__hostcl_default_queue()
  %default = call target("spirv.Queue") @__hostcl_queue_of(i64 %bits)
  %c = call i1 @valid(target("spirv.DeviceEvent") zeroinitializer)
  %chosen = select i1 %c, target("spirv.Queue") %queue, target("spirv.Queue") %default
  %number = call i64 @__hostcl_queue_bits(target("spirv.Queue") %chosen)
  %none = icmp eq i64 %number, 0
  %d = call i1 @valid(target("spirv.DeviceEvent") %event)
  ret void
}

; CHECK-LABEL: define internal i1 @valid(i64 %event)
; CHECK: icmp ne i64 %event, -1
define internal i1 @valid(target("spirv.DeviceEvent") %event) {
  %bits = call i64 @__hostcl_event_bits(target("spirv.DeviceEvent") %event)
  %r = icmp ne i64 %bits, -1
  ret i1 %r
}

declare i64 @__hostcl_default_queue()
declare target("spirv.Queue") @__hostcl_queue_of(i64)
declare i64 @__hostcl_queue_bits(target("spirv.Queue"))
declare i64 @__hostcl_event_bits(target("spirv.DeviceEvent"))
; CHECK-NOT: declare {{.*}}@__hostcl_{{queue_of|queue_bits|event_bits}}

; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s
; The host is called through the launch: its host callbacks lie after the sizes, and the functions after their context.

@format = private addrspace(2) constant [2 x i8] c"%\00"
declare i32 @__hostcl_printf(ptr addrspace(2), ptr)

; CHECK-LABEL: define void @print.entry(
; CHECK: group:
; CHECK: [[CALLBACKS_AT:%.*]] = getelementptr inbounds i8, ptr %launch, i64 104
; CHECK: %host_callbacks = load ptr, ptr [[CALLBACKS_AT]], align 8, !invariant.load
; CHECK: [[CONTEXT_AT:%.*]] = getelementptr inbounds i8, ptr %host_callbacks, i64 0
; CHECK: [[CONTEXT:%.*]] = load ptr, ptr [[CONTEXT_AT]], align 8, !invariant.load
; CHECK: [[PRINT_AT:%.*]] = getelementptr inbounds i8, ptr %host_callbacks, i64 8
; CHECK: %callback = load ptr, ptr [[PRINT_AT]], align 8, !invariant.load
; CHECK: [[RESULT:%.*]] = call i32 %callback(ptr [[CONTEXT]], ptr addrspace(2) @format, ptr %block{{.*}})
; CHECK: store i32 [[RESULT]], ptr addrspace(1) %p
; CHECK-NOT: call i32 @__hostcl_printf
define spir_kernel void @print(ptr addrspace(1) %p) {
  %block = alloca i64
  %result = call i32 @__hostcl_printf(ptr addrspace(2) @format, ptr %block)
  store i32 %result, ptr addrspace(1) %p
  ret void
}

; The forms for lanes of pipes' functions are host callbacks, too, and get no launch.
declare void @__hostcl_pipe_reserve_read_lanes(ptr, ptr, i32, ptr addrspace(1))

; CHECK-LABEL: define void @reserve.entry(
; CHECK: %callback = load ptr, ptr %{{.*}}, align 8, !invariant.load
; CHECK: call void %callback(ptr %context{{[0-9]*}}, ptr %packets{{.*}}, ptr %results{{.*}}, i32 4, ptr addrspace(1) %p)
; CHECK-NOT: call void @__hostcl_pipe_reserve_read_lanes
define spir_kernel void @reserve(ptr addrspace(1) %p) {
  %packets = alloca <4 x i32>
  %results = alloca <4 x i64>
  call void @__hostcl_pipe_reserve_read_lanes(ptr %packets, ptr %results, i32 4, ptr addrspace(1) %p)
  %id = load i64, ptr %results
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; What has a vector form is widened; anything else runs once for each active lane.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)
declare float @llvm.sqrt.f32(float)
declare float @opaque(float)
declare i64 @__hostcl_pipe_reserve_read(ptr addrspace(1), i32)
declare void @__hostcl_pipe_commit_read(ptr addrspace(1), i64)

; CHECK-LABEL: @calls
; CHECK: %[[ROOT:.*]] = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %x)
; CHECK: lane:
; CHECK: %[[LEFT:.*]] = phi i32
; CHECK: %[[LANE:.*]] = call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK: %[[ONE:.*]] = extractelement <4 x float> %[[ROOT]], i32 %[[LANE]]
; CHECK: %[[R:.*]] = call float @opaque(float %[[ONE]])
; CHECK: insertelement <4 x float> %{{.*}}, float %[[R]], i32 %[[LANE]]
define spir_kernel void @calls(ptr addrspace(1) %a) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = call float @llvm.sqrt.f32(float %x)
  %z = call float @opaque(float %y)
  store float %z, ptr addrspace(1) %p
  ret void
}

; What keeps fast maths apart is for all lanes at once.
; CHECK-LABEL: @fences
; CHECK: call fast <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float>
define spir_kernel void @fences(ptr addrspace(1) %p) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %address = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %address
  %y = call fast float @llvm.arithmetic.fence.f32(float %x)
  store float %y, ptr addrspace(1) %address
  ret void
}

; The lanes reserve packets of a pipe, and commit them, in one call. Lanes that are not active take none.
; CHECK-LABEL: @packets
; CHECK: br i1 %{{.*}}, label %reserve, label %skip
; CHECK: %[[COUNTS:.*]] = select <4 x i1> %{{.*}}, <4 x i32> splat (i32 1), <4 x i32> zeroinitializer
; CHECK: store <4 x i32> %[[COUNTS]], ptr %[[ARGUMENTS:.*]], align
; CHECK: call void @__hostcl_pipe_reserve_read_lanes(ptr %[[ARGUMENTS]], ptr %[[RESULTS:.*]], i32 4, ptr addrspace(1) %p)
; CHECK: %[[IDS:.*]] = load <4 x i64>, ptr %[[RESULTS]]
; CHECK: %[[VALID:.*]] = icmp ne <4 x i64> %[[IDS]], zeroinitializer
; CHECK: select <4 x i1> %{{.*}}, <4 x i64> %[[IDS]], <4 x i64> zeroinitializer
; CHECK: call void @__hostcl_pipe_commit_read_lanes(ptr %{{.*}}, i32 4, ptr addrspace(1) %p)
define spir_kernel void @packets(ptr addrspace(1) %p, i64 %n) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %some = icmp ult i64 %i, %n
  br i1 %some, label %reserve, label %end
reserve:
  %id = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %p, i32 1)
  %valid = icmp ne i64 %id, 0
  br i1 %valid, label %commit, label %end
commit:
  call void @__hostcl_pipe_commit_read(ptr addrspace(1) %p, i64 %id)
  br label %end
end:
  ret void
}

; Lanes with pipes of their own call one by one.
; CHECK-LABEL: @pipes_of_lanes
; CHECK-NOT: _lanes
; CHECK: lane:
; CHECK: call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %{{.*}}, i32 1)
define spir_kernel void @pipes_of_lanes(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %id = call i64 @__hostcl_pipe_reserve_read(ptr addrspace(1) %q, i32 1)
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %id, ptr addrspace(1) %place
  ret void
}

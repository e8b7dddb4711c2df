; RUN: hostclc --passes='function(barrier-regions)' %s | FileCheck %s
; A private array whose contents may be read after a barrier has a copy for each chunk: also if its address was kept, if it is
; used in a loop around the barrier, or if it is reached through a pointer that may be one of two arrays.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32)
declare void @use_array(ptr captures(none))
declare void @keep(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; CHECK-LABEL: define {{.*}}void @kept_address(
; CHECK-NOT: alloca
; CHECK: call void @keep(ptr %{{[^)]*}})
; CHECK: ret void
define spir_kernel void @kept_address() "hostcl.dimensions"="1" {
  %array = alloca [4 x i32]
  call void @keep(ptr %array)
  call void @__hostcl_barrier(i32 1)
  call void @keep(ptr null)
  ret void
}

; CHECK-LABEL: define {{.*}}void @one_of_two(
; CHECK-NOT: alloca [4 x i32]
; CHECK: ret void
define spir_kernel void @one_of_two(i1 %c) "hostcl.dimensions"="1" {
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  call void @use_array(ptr %a)
  call void @use_array(ptr %b)
  call void @__hostcl_barrier(i32 1)
  %p = select i1 %c, ptr %a, ptr %b
  call void @use_array(ptr %p)
  ret void
}

; The contents end before the barrier and begin anew after it: the stack will do.
; CHECK-LABEL: define {{.*}}void @with_lifetimes(
; CHECK: alloca [4 x i32]
; CHECK-NOT: @__hostcl_context
; CHECK: ret void
define spir_kernel void @with_lifetimes() "hostcl.dimensions"="1" {
  %array = alloca [4 x i32]
  call void @llvm.lifetime.start.p0(ptr %array)
  call void @use_array(ptr %array)
  call void @llvm.lifetime.end.p0(ptr %array)
  call void @__hostcl_barrier(i32 1)
  call void @llvm.lifetime.start.p0(ptr %array)
  call void @use_array(ptr %array)
  call void @llvm.lifetime.end.p0(ptr %array)
  ret void
}

; From one iteration to the next.
; CHECK-LABEL: define {{.*}}void @around_loop(
; CHECK-NOT: alloca [4 x i32]
; CHECK: call ptr @__hostcl_context()
; CHECK: ret void
define spir_kernel void @around_loop(i32 %n) "hostcl.dimensions"="1" {
entry:
  %array = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @use_array(ptr %array)
  call void @__hostcl_barrier(i32 1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

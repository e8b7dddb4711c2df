; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Where lanes come from different predecessors, or leave a loop after different iterations, a cooperative matrix is that
; of the first active lane, through its variable: no lane has a matrix of its own.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1)) convergent

; CHECK-LABEL: define spir_kernel void @branch
; CHECK-NOT: <256 x float>
; CHECK: store <64 x float> zeroinitializer, ptr %
; CHECK: store <64 x float> %{{.+}}, ptr %
; CHECK: %[[JOINED:.+]] = load <64 x float>, ptr %
; CHECK-NOT: <256 x float>
; CHECK: store <64 x float> %[[JOINED]], ptr addrspace(1)
; CHECK-NOT: <256 x float>
; CHECK: ret void
define spir_kernel void @branch(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %own = load i32, ptr addrspace(1) %place
  %condition = icmp sgt i32 %own, 3
  %p = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %a)
  %m = load <64 x float>, ptr addrspace(1) %p
  br i1 %condition, label %yes, label %no
yes:
  %q = getelementptr i32, ptr addrspace(1) %place, i64 100
  store i32 1, ptr addrspace(1) %q
  br label %after
no:
  store i32 2, ptr addrspace(1) %place
  br label %after
after:
  %joined = phi <64 x float> [ %m, %yes ], [ zeroinitializer, %no ]
  store <64 x float> %joined, ptr addrspace(1) %p
  ret void
}

; The sum is an SSA value in the loop, since the lanes that are in the loop have the same one.
; CHECK-LABEL: define spir_kernel void @loop
; CHECK-NOT: <256 x float>
; CHECK: phi <64 x float>
; CHECK-NOT: <256 x float>
; CHECK: store <64 x float> %{{.+}}, ptr %
; CHECK-NOT: <256 x float>
; CHECK: %[[LAST:.+]] = load <64 x float>, ptr %
; CHECK: store <64 x float> %[[LAST]], ptr addrspace(1)
; CHECK-NOT: <256 x float>
; CHECK: ret void
define spir_kernel void @loop(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %trips = load i32, ptr addrspace(1) %place
  %p = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %a)
  %m = load <64 x float>, ptr addrspace(1) %p
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi <64 x float> [ %m, %entry ], [ %more, %body ]
  %more = fadd <64 x float> %sum, %m
  %next = add i32 %i, 1
  %goes = icmp slt i32 %next, %trips
  br i1 %goes, label %body, label %after
after:
  store <64 x float> %more, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @chosen
; CHECK-NOT: <256 x float>
; CHECK: %[[CHOSEN:.+]] = select i1 %{{.+}}, <64 x float> %{{.+}}, <64 x float> zeroinitializer
; CHECK: store <64 x float> %[[CHOSEN]], ptr addrspace(1)
; CHECK-NOT: <256 x float>
; CHECK: ret void
define spir_kernel void @chosen(ptr addrspace(1) %a) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %own = load i32, ptr addrspace(1) %place
  %condition = icmp sgt i32 %own, 3
  %p = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %a)
  %m = load <64 x float>, ptr addrspace(1) %p
  %chosen = select i1 %condition, <64 x float> %m, <64 x float> zeroinitializer
  store <64 x float> %chosen, ptr addrspace(1) %p
  ret void
}

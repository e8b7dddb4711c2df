; Divergent branches become masks; uniform ones stay.
; RUN: hostclc --passes='vectorise<width=4>' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) memory(none)

; A cheap side runs without a question, and a phi becomes a choice between lanes.
; CHECK-LABEL: @cheap
; CHECK-NOT: br i1
; CHECK: %[[LESS:.*]] = icmp slt <4 x i32> %x, splat (i32 7)
; CHECK: %[[YES:.*]] = select <4 x i1> %mask, <4 x i1> %[[LESS]], <4 x i1> zeroinitializer
; CHECK: %[[TRIPLE:.*]] = mul <4 x i32> %x, splat (i32 3)
; CHECK: select <4 x i1> %[[YES]], <4 x i32> %[[TRIPLE]]
; CHECK: ret void
define spir_kernel void @cheap(ptr addrspace(1) %a) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %less = icmp slt i32 %x, 7
  br i1 %less, label %then, label %join
then:
  %triple = mul i32 %x, 3
  br label %join
join:
  %y = phi i32 [ %x, %entry ], [ %triple, %then ]
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; A side that must not run without lanes is skipped if there are none.
; CHECK-LABEL: @guarded
; CHECK: %[[YES:.*]] = select <4 x i1> %mask, <4 x i1> %{{.*}}, <4 x i1> zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[YES]] to i4
; CHECK: %[[ANY:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK: br i1 %[[ANY]], label %then, label %skip
; CHECK: then:
; CHECK: load i32, ptr addrspace(1) %a
define spir_kernel void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %y = load i32, ptr addrspace(1) %q
  %less = icmp slt i32 %y, 7
  br i1 %less, label %then, label %join
then:
  %x = load i32, ptr addrspace(1) %a
  store i32 %x, ptr addrspace(1) %q
  br label %join
join:
  ret void
}

; CHECK-LABEL: @uniform
; CHECK: br i1 %yes
; CHECK-NOT: select
; CHECK: ret void
define spir_kernel void @uniform(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %yes = icmp eq i32 %n, 3
  br i1 %yes, label %then, label %join
then:
  store i32 %n, ptr addrspace(1) %p
  br label %join
join:
  ret void
}

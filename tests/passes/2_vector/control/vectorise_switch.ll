; RUN: hostclc --passes='function(vectorise<width=8>)' %s | FileCheck %s
;
; A switch with an unreachable default before a barrier: lanes take different cases, and all lanes reach the barrier.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent

; CHECK-LABEL: define {{.*}}void @k(
; CHECK: [[MASK:%mask]] = call <8 x i1> @__hostcl_lane_mask()
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 1), {{.*}}, <8 x i1> %{{[0-9]+}})
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 2), {{.*}}, <8 x i1> %{{[0-9]+}})
; CHECK: call {{.*}}void @__hostcl_barrier
; CHECK: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 3), {{.*}}, <8 x i1> [[MASK]])
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %b = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  switch i32 %v, label %never [ i32 0, label %zero
                                i32 1, label %one ]
zero:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %join
one:
  store i32 2, ptr addrspace(1) %b, align 4
  br label %join
never:
  unreachable
join:
  call void @__hostcl_barrier(i32 1)
  store i32 3, ptr addrspace(1) %a, align 4
  ret void
}

; Lanes with different values run the cases one after the other, with one comparison for each case.
; CHECK-LABEL: define {{.*}}void @divergent(
; CHECK: [[MASK:%mask]] = call <8 x i1> @__hostcl_lane_mask()
; CHECK: [[ZERO:%[0-9]+]] = icmp eq <8 x i32> %v, zeroinitializer
; CHECK: [[AT_ZERO:%[0-9]+]] = select <8 x i1> [[MASK]], <8 x i1> [[ZERO]], <8 x i1> zeroinitializer
; CHECK: [[ONE:%[0-9]+]] = icmp eq <8 x i32> %v, splat (i32 1)
; CHECK: [[TWO:%[0-9]+]] = icmp eq <8 x i32> %v, splat (i32 2)
; CHECK: [[EITHER:%[0-9]+]] = or <8 x i1> {{.*}}[[ONE]]
; CHECK: [[AT_EITHER:%[0-9]+]] = select <8 x i1> [[MASK]], <8 x i1> [[EITHER]], <8 x i1> zeroinitializer
; CHECK-NOT: switch
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 11), {{.*}}, <8 x i1> [[AT_ZERO]])
; CHECK-DAG: call void @llvm.masked.store{{.*}}(<8 x i32> splat (i32 22), {{.*}}, <8 x i1> [[AT_EITHER]])
; CHECK: ret void
define spir_kernel void @divergent(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  switch i32 %v, label %join [ i32 0, label %zero
                               i32 1, label %either
                               i32 2, label %either ]
zero:
  store i32 11, ptr addrspace(1) %a, align 4
  br label %join
either:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %join
join:
  ret void
}

; The position in the group is kept as the first lane's, but differs between lanes.
; CHECK-LABEL: define {{.*}}void @positions(
; CHECK: icmp eq <8 x i64> %{{[0-9]+}}, splat (i64 3)
; CHECK: icmp eq <8 x i64> %{{[0-9]+}}, splat (i64 5)
; CHECK-LABEL: define {{.*}}void @parity(
; CHECK: [[ODD:%[0-9]+]] = add <8 x i1> %.splat, <i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true>
; CHECK: [[LANES:%[0-9]+]] = select <8 x i1> %mask, <8 x i1> [[ODD]], <8 x i1> zeroinitializer
; CHECK: call void @llvm.masked.store{{.*}}, <8 x i1> [[LANES]])
define spir_kernel void @positions(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  switch i64 %x, label %join [ i64 3, label %three
                               i64 5, label %five ]
three:
  store i32 11, ptr addrspace(1) %a, align 4
  br label %join
five:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %join
join:
  ret void
}

define spir_kernel void @parity(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  br i1 %odd, label %then, label %join
then:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %join
join:
  ret void
}

; All lanes take the same case: the switch remains a switch, and phis join the cases' values.
; CHECK-LABEL: define {{.*}}void @uniform(
; CHECK: switch i32 %u, label %entry.way [
; CHECK-NEXT: i32 0, label %entry.way
; CHECK-NEXT: i32 1, label %[[TWICE:entry.way[0-9]*]]
; CHECK-NEXT: i32 2, label %[[TWICE]]
; CHECK: join:
; CHECK-NEXT: phi i32
define spir_kernel void @uniform(ptr addrspace(1) %p, i32 %u) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  switch i32 %u, label %join [ i32 0, label %zero
                               i32 1, label %either
                               i32 2, label %either ]
zero:
  store i32 11, ptr addrspace(1) %a, align 4
  br label %join
either:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %join
join:
  %n = phi i32 [ 5, %entry ], [ 6, %zero ], [ 7, %either ]
  %b = getelementptr i32, ptr addrspace(1) %a, i64 8
  store i32 %n, ptr addrspace(1) %b, align 4
  ret void
}

; A barrier in one of the cases: either all work-items take this case or none does, although the other work-items'
; values may differ.
; CHECK-LABEL: define {{.*}}void @to_barrier(
; CHECK: [[MEETS:%[0-9]+]] = icmp eq <8 x i32> %v, zeroinitializer
; CHECK: [[LANES:%[0-9]+]] = select <8 x i1> %mask, <8 x i1> [[MEETS]], <8 x i1> zeroinitializer
; CHECK: [[BITS:%[0-9]+]] = bitcast <8 x i1> [[LANES]] to i8
; CHECK: [[ANY:%[0-9]+]] = icmp ne i8 [[BITS]], 0
; CHECK: br i1 [[ANY]]
; CHECK: call {{.*}}void @__hostcl_barrier
define spir_kernel void @to_barrier(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %a, align 4
  switch i32 %v, label %join [ i32 0, label %zero
                               i32 1, label %one ]
zero:
  call void @__hostcl_barrier(i32 1)
  store i32 11, ptr addrspace(1) %a, align 4
  br label %join
one:
  store i32 22, ptr addrspace(1) %a, align 4
  br label %join
join:
  ret void
}

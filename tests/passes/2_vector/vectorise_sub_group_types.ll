; RUN: hostclc --passes='function(vectorise<width=4>)' %s | FileCheck %s
; Sub-group operations take part with their active lanes only, of every type: others count as what changes nothing; lane numbers
; out of range are taken modulo the width; votes of lanes in a branch ask these lanes.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i8 @__hostcl_sub_group_reduce_umin_i8(i8) convergent
declare double @__hostcl_sub_group_reduce_min_f64(double) convergent
declare half @__hostcl_sub_group_scan_inclusive_add_f16(half) convergent
declare i64 @__hostcl_sub_group_broadcast_i64(i64, i32) convergent
declare i64 @__hostcl_sub_group_shuffle_i64(i64, i32) convergent
declare i64 @__hostcl_sub_group_first_i64(i64) convergent
declare i1 @__hostcl_sub_group_all(i1) convergent
declare i1 @__hostcl_sub_group_any(i1) convergent
declare <4 x i32> @__hostcl_sub_group_ballot(i1) convergent
declare i32 @__hostcl_sub_group_lane()
declare i32 @__hostcl_sub_group_width()

; CHECK-LABEL: define {{.*}}void @reductions(
; CHECK: select <4 x i1> %mask, <4 x i8> %v, <4 x i8> splat (i8 -1)
; CHECK: call <2 x i8> @llvm.umin.v2i8
; CHECK: select <4 x i1> %mask, <4 x double> %d, <4 x double> splat (double 0x7FF8000000000000)
; CHECK: call <2 x double> @llvm.minnum.v2f64
; CHECK: select <4 x i1> %mask, <4 x half> %h, <4 x half> splat (half 0xH8000)
; CHECK: shufflevector <4 x half> {{.*}} <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: fadd <4 x half>
; CHECK: shufflevector <4 x half> {{.*}} <4 x i32> <i32 4, i32 4, i32 0, i32 1>
define spir_kernel void @reductions(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %x
  %v = load i8, ptr addrspace(1) %p
  %r = call i8 @__hostcl_sub_group_reduce_umin_i8(i8 %v)
  store i8 %r, ptr addrspace(1) %p
  %q = getelementptr double, ptr addrspace(1) %b, i64 %x
  %d = load double, ptr addrspace(1) %q
  %e = call double @__hostcl_sub_group_reduce_min_f64(double %d)
  store double %e, ptr addrspace(1) %q
  %s = getelementptr half, ptr addrspace(1) %c, i64 %x
  %h = load half, ptr addrspace(1) %s
  %i = call half @__hostcl_sub_group_scan_inclusive_add_f16(half %h)
  store half %i, ptr addrspace(1) %s
  ret void
}

; CHECK-LABEL: define {{.*}}void @lanes(
; CHECK: [[AT:%.*]] = and i32 %n, 3
; CHECK: extractelement <4 x i64> %v, i32 [[AT]]
; The first lane's -1 is 3.
; CHECK: [[LAST:%.*]] = extractelement <4 x i64> %v, i32 3
; CHECK-NEXT: insertelement <4 x i64> poison, i64 [[LAST]], i64 0
; CHECK: [[FIRST:%.*]] = extractelement <4 x i64> %v, i32 0
; CHECK-NEXT: insertelement <4 x i64> %{{.*}}, i64 [[FIRST]], i64 1
; CHECK: store volatile i32 4,
define spir_kernel void @lanes(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %b = call i64 @__hostcl_sub_group_broadcast_i64(i64 %v, i32 %n)
  %lane = call i32 @__hostcl_sub_group_lane()
  %before = add i32 %lane, -1
  %c = call i64 @__hostcl_sub_group_shuffle_i64(i64 %v, i32 %before)
  %d = add i64 %b, %c
  store i64 %d, ptr addrspace(1) %p
  %w = call i32 @__hostcl_sub_group_width()
  store volatile i32 %w, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define {{.*}}void @votes(
; CHECK: [[THERE:%.*]] = select <4 x i1> %mask, <4 x i1> %c, <4 x i1> zeroinitializer
; The others do not vote: neither for all, nor against.
; CHECK: [[NOT:%.*]] = xor <4 x i1> %e, splat (i1 true)
; CHECK: [[AGAINST:%.*]] = select <4 x i1> [[THERE]], <4 x i1> [[NOT]], <4 x i1> zeroinitializer
; CHECK: bitcast <4 x i1> [[AGAINST]] to i4
; CHECK: [[FOR:%.*]] = select <4 x i1> [[THERE]], <4 x i1> %e, <4 x i1> zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <4 x i1> [[FOR]] to i4
; CHECK: [[WIDE:%.*]] = zext i4 [[BITS]] to i128
; CHECK: bitcast i128 [[WIDE]] to <4 x i32>
; CHECK: call i32 @llvm.cttz.i32
define spir_kernel void @votes(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %c = icmp sgt i64 %v, 0
  br i1 %c, label %then, label %end
then:
  %e = icmp slt i64 %v, 100
  %all = call i1 @__hostcl_sub_group_all(i1 %e)
  %ballot = call <4 x i32> @__hostcl_sub_group_ballot(i1 %e)
  %first = call i64 @__hostcl_sub_group_first_i64(i64 %v)
  %bits = extractelement <4 x i32> %ballot, i32 0
  %n = zext i1 %all to i32
  %m = add i32 %n, %bits
  store i32 %m, ptr addrspace(1) %out
  store i64 %first, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

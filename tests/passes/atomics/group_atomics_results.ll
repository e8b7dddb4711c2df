; RUN: hostclc --passes='function(group-atomics)' %s | FileCheck %s
; Each vector gets what memory held before the group, combined with the operands of the vectors before it, as the
; operation combines; the one host atomic keeps order and scope; every update has variables of its own.

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-DAG: @[[TOTAL1:total]] = internal addrspace(3) global i64
; CHECK-DAG: @[[MADE1:made]] = internal addrspace(3) global i64
; CHECK-DAG: @[[TOTAL2:total[.0-9]+]] = internal addrspace(3) global i32
; CHECK-DAG: @[[MADE2:made[.0-9]+]] = internal addrspace(3) global i32

; CHECK-LABEL: define {{.*}}void @two(
; The first vector is the one whose ids are all 0: three dimensions, as nothing says otherwise.
; CHECK: [[X:%.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK: [[Y:%.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK: [[XY:%.*]] = or i64 [[X]], [[Y]]
; CHECK: [[Z:%.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK: [[XYZ:%.*]] = or i64 [[XY]], [[Z]]
; CHECK: [[FIRST:%.*]] = icmp eq i64 [[XYZ]], 0
; What a later vector finds is kept.
; CHECK: select i1 [[FIRST]], i32 0, i32 %
; CHECK: select i1 [[FIRST]], i64 0, i64 %
; The operand of a subtraction is added up, and subtracted from what was there.
; CHECK: [[BEFORE:%.*]] = atomicrmw add ptr addrspace(3) @[[TOTAL1]], i64 %x monotonic
; CHECK: call void @__hostcl_barrier
; CHECK: [[MADE:%.*]] = atomicrmw xchg ptr addrspace(3) @[[MADE1]], i64 1 monotonic
; CHECK: [[NOT_YET:%.*]] = icmp eq i64 [[MADE]], 0
; CHECK: br i1 [[NOT_YET]]
; CHECK: [[ALL:%.*]] = load atomic i64, ptr addrspace(3) @[[TOTAL1]] monotonic
; CHECK: [[OLD:%.*]] = atomicrmw sub ptr addrspace(1) %n, i64 [[ALL]] syncscope("device") acq_rel
; CHECK: store atomic i64 [[OLD]], ptr addrspace(3) @base
; CHECK: [[BASE:%.*]] = load atomic i64, ptr addrspace(3) @base
; CHECK: [[RESULT:%.*]] = sub i64 [[BASE]], [[BEFORE]]
; CHECK: store i64 [[RESULT]], ptr addrspace(1) %out
; CHECK: atomicrmw add ptr addrspace(3) @[[TOTAL2]], i32 3 monotonic
; CHECK: atomicrmw xchg ptr addrspace(3) @[[MADE2]], i32 1
; CHECK: atomicrmw add ptr addrspace(1) %m, i32 %
; CHECK: ret void
define spir_kernel void @two(ptr addrspace(1) %n, ptr addrspace(1) %m, ptr addrspace(1) %out, i64 %x) "hostcl.width"="8" {
  %old = atomicrmw sub ptr addrspace(1) %n, i64 %x syncscope("device") acq_rel
  store i64 %old, ptr addrspace(1) %out
  %second = atomicrmw add ptr addrspace(1) %m, i32 3 monotonic
  store i32 %second, ptr addrspace(1) %out
  ret void
}

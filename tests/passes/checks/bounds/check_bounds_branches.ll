; RUN: hostclc --passes='function(check-bounds)' %s | FileCheck %s
; Branches on the way to an access bound what they compare.

declare i64 @__hostcl_local_id(i32)
declare i64 @__hostcl_local_size(i32)

; CHECK-LABEL: define spir_kernel void @below(
; CHECK: %[[LAST:.*]] = sub i64 %n, 1
; CHECK: %[[LEAST:.*]] = call i64 @llvm.smin.i64(i64 %{{.*}}, i64 %[[LAST]])
; CHECK: select i1 %{{.*}}, i64 %[[LEAST]], i64 %
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
; CHECK: then:
; CHECK-NOT: report
; CHECK: ret void
; CHECK: then.checked:
; CHECK: call void @__hostcl_report(
define spir_kernel void @below(ptr addrspace(3) %t, i64 %n) {
entry:
  %lid = call i64 @__hostcl_local_id(i32 0)
  %is_below = icmp ult i64 %lid, %n
  br i1 %is_below, label %then, label %exit
then:
  %index = add i64 %lid, %n
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %index
  store i32 1, ptr addrspace(3) %p
  br label %exit
exit:
  ret void
}

; The other side of the branch has no bound.
; CHECK-LABEL: define spir_kernel void @not_below(
; CHECK-NOT: sub i64 %n, 1
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
define spir_kernel void @not_below(ptr addrspace(3) %t, i64 %n) {
entry:
  %lid = call i64 @__hostcl_local_id(i32 0)
  %is_below = icmp ult i64 %lid, %n
  br i1 %is_below, label %exit, label %otherwise
otherwise:
  %index = add i64 %lid, %n
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %index
  store i32 1, ptr addrspace(3) %p
  br label %exit
exit:
  ret void
}

; Nor has what comes after both.
; CHECK-LABEL: define spir_kernel void @after(
; CHECK-NOT: sub i64 %n, 1
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
define spir_kernel void @after(ptr addrspace(3) %t, i64 %n) {
entry:
  %lid = call i64 @__hostcl_local_id(i32 0)
  %is_below = icmp ult i64 %lid, %n
  br i1 %is_below, label %then, label %exit
then:
  call void @__hostcl_report(i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, ptr null)
  br label %exit
exit:
  %index = add i64 %lid, %n
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %index
  store i32 1, ptr addrspace(3) %p
  ret void
}
declare void @__hostcl_report(i64, i64, i64, i64, i64, i64, i64, ptr)

; What is subtracted and not greater needs no bound: here it is what memory has.
; CHECK-LABEL: define spir_kernel void @difference(
; CHECK: br i1 %{{.*}}, label %entry.split, label %entry.split.checked
; CHECK: then:
; CHECK-NOT: report
; CHECK: ret void
; CHECK: then.checked:
; CHECK: call void @__hostcl_report(
define spir_kernel void @difference(ptr addrspace(3) %t, ptr addrspace(1) %from) {
entry:
  %lid = call i64 @__hostcl_local_id(i32 0)
  %distance = load i64, ptr addrspace(1) %from
  %is_below = icmp ult i64 %lid, %distance
  br i1 %is_below, label %exit, label %then
then:
  %index = sub i64 %lid, %distance
  %p = getelementptr i32, ptr addrspace(3) %t, i64 %index
  store i32 1, ptr addrspace(3) %p
  br label %exit
exit:
  ret void
}

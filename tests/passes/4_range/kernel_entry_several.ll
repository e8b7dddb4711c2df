; RUN: hostclc --passes='kernel-entry' %s | FileCheck %s
; Each kernel of a module gets its entry and is gone, also one that is not to be inlined or not to be optimised; functions
; that are no kernels stay; CPU attributes move to the entry; an empty range runs nothing.

declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare void @used(i64)

; CHECK-NOT: @__hostcl_group_id
; CHECK-NOT: spir_kernel
; CHECK: define void @helper(

; CHECK: define void @first.entry({{.*}}) [[FIRST:#[0-9]+]]
; CHECK: entry:
; CHECK-NEXT: [[SOME:%.*]] = icmp ult i64 %first, %last
; CHECK-NEXT: br i1 [[SOME]], label %start, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define spir_kernel void @first(ptr addrspace(1) %p) "hostcl.dimensions"="1" "target-cpu"="znver4" "target-features"="+avx2" "other"="x" noinline optnone {
  %g = call i64 @__hostcl_group_id(i32 0)
  call void @used(i64 %g)
  ret void
}

; CHECK: define void @second.entry(
; CHECK: call void @helper(i64 %{{.*}})
define spir_kernel void @second() "hostcl.dimensions"="1" {
  %g = call i64 @__hostcl_group_id(i32 0)
  call void @helper(i64 %g)
  ret void
}

define void @helper(i64 %n) {
  call void @used(i64 %n)
  ret void
}

; Several returns lead to the next group.
; CHECK: define void @returns.entry(
; CHECK: end:
; CHECK-NEXT: ret void
; CHECK-NOT: ret void
; CHECK: group.next:
; CHECK: [[NEXT:%.*]] = add nuw nsw i64 %group.x, 1
; CHECK: [[MORE:%.*]] = icmp ult i64 [[NEXT]], %last
; CHECK: br i1 [[MORE]], label %group, label %end
; CHECK-NOT: ret void
; CHECK: attributes [[FIRST]] = { nounwind "hostcl.entry"="true" "target-cpu"="znver4" "target-features"="+avx2" }
define spir_kernel void @returns(i1 %c) "hostcl.dimensions"="1" {
  br i1 %c, label %a, label %b
a:
  call void @used(i64 1)
  ret void
b:
  ret void
}

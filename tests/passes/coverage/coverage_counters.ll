; RUN: hostclc --passes='kernel-entry,coverage-counters' %s | FileCheck %s

declare void @__hostcl_coverage_count(i32, i64)
declare void @__hostcl_coverage_mark(i32, i64)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)

; The constant begins with a key, the size of the profile and the offset of its counters; then LLVM's magic number.
; CHECK: @hostcl.coverage = internal constant [{{[0-9]+}} x i8] c"{{.*}}\81rforpl\FF{{.*}}k.build{{.*}}", align 8

; CHECK-LABEL: define void @k.entry(
; CHECK: entry:
; CHECK: [[COUNT:%count.*]] = alloca i64
; CHECK: store i64 0, ptr [[COUNT]]
; CHECK: start:
; CHECK: [[COUNTERS:%.*]] = call ptr %callback(ptr %{{.*}}, ptr @hostcl.coverage)
; The counters of two functions come first, then the words of their bitmaps.
; CHECK: end.counted:
; CHECK: getelementptr inbounds i64, ptr [[COUNTERS]], i64 1
; CHECK: load i64, ptr %{{.*}}, align 8, !alias.scope
; CHECK: add i64
; CHECK: store i64 %{{.*}}, ptr %{{.*}}, align 8, !alias.scope
; CHECK: getelementptr inbounds i64, ptr [[COUNTERS]], i64 3
; CHECK: or i64
; Counts are private while the range runs.
; CHECK: group:
; CHECK: load i64, ptr [[COUNT]]
; CHECK: add i64 %{{.*}}, 8
; CHECK: store i64 %{{.*}}, ptr [[COUNT]]
; CHECK: or i64 %{{.*}}, 4
; CHECK: store i64 %group.x, ptr addrspace(1) %{{.*}}, !noalias
; CHECK-NOT: call {{.*}}@__hostcl_coverage
define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.dimensions"="1" {
  call void @__hostcl_coverage_count(i32 1, i64 8)
  call void @__hostcl_coverage_mark(i32 0, i64 4)
  %x = call i64 @__hostcl_group_id(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

!hostcl.covered_functions = !{!0, !1}
!0 = !{!"f.build", i64 11, i32 1, i32 0}
!1 = !{!"k.build", i64 12, i32 2, i32 3}

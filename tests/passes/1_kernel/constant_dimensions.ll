; RUN: hostclc --passes='function(constant-dimensions)' %s | FileCheck %s

declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)

; CHECK-LABEL: define {{.*}}i64 @variable(
; CHECK-DAG: [[X:%.*]] = call i64 @__hostcl_local_id(i32 0)
; CHECK-DAG: [[Y:%.*]] = call i64 @__hostcl_local_id(i32 1)
; CHECK-DAG: [[Z:%.*]] = call i64 @__hostcl_local_id(i32 2)
; CHECK: [[YZ:%.*]] = select i1 {{.*}}, i64 [[Y]], i64 [[Z]]
; CHECK: select i1 {{.*}}, i64 [[X]], i64 [[YZ]]
define i64 @variable(i32 %d) {
  %id = call i64 @__hostcl_local_id(i32 %d)
  ret i64 %id
}

// RUN: hostclc --coverage-vectors --width=8 --print=vectorise %s | FileCheck %s
// RUN: hostclc --coverage-vectors --width=1 --print=coverage-counters %s | FileCheck %s --check-prefix=SCALAR
// RUN: hostclc --coverage --width=8 --print=vectorise %s | FileCheck %s --check-prefix=OFF

// A vector of which a lane is active counts once, and counts all its lanes.
// CHECK-LABEL: define {{.*}} @k(
// CHECK: [[ANY:%.*]] = icmp ne i8 %{{.*}}, 0
// CHECK: [[ONE:%.*]] = zext i1 [[ANY]] to i64
// CHECK: call void @__hostcl_coverage_count(i32 [[#VECTORS:]], i64 [[ONE]])
// CHECK: [[LANES:%.*]] = select i1 [[ANY]], i64 8, i64 0
// CHECK: call void @__hostcl_coverage_count(i32 [[#mul(VECTORS,2)]], i64 [[LANES]])
// SCALAR-NOT: call {{.*}}@__hostcl_coverage
// OFF-NOT: select i1 %{{.*}}, i64 8, i64 0
kernel void k(global int* a) {
  int i = get_global_id(0);
  if (a[i] > 7)
    a[i] = 3;
}

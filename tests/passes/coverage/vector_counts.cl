// RUN: hostclc --coverage --width=8 --print=vectorise %s | FileCheck %s
// RUN: hostclc --coverage --width=1 --print=simplify %s | FileCheck %s --check-prefix=SCALAR

// A vector adds the number of its active lanes to a counter; the calls name the counters of the inlined function as well.
// SCALAR-LABEL: define {{.*}} @k(
// SCALAR: call void @__hostcl_coverage_count(i32 0, i64 1)
// CHECK-LABEL: define {{.*}} @k(
// CHECK: [[ALL:%.*]] = {{.*}} @llvm.ctpop.i64(
// CHECK: call void @__hostcl_coverage_count(i32 0, i64
// CHECK: call i64 @llvm.ctpop.i64(
// CHECK: call void @__hostcl_coverage_count(i32 1, i64 %{{.*}})
kernel void k(global int* a) {
  int i = get_global_id(0);
  if (a[i] > 7)
    a[i] *= a[i] / 3;
}

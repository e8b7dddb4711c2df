// RUN: hostclc --coverage --width=8 --print=vectorise %s | FileCheck %s
// RUN: hostclc --coverage --width=8 --print=coverage-counters %s | FileCheck %s --check-prefix=SUM

// The bits of a test vector (MC/DC) that differ between work-items stay in a vector. They are combined once, at the end
// of a range of work-groups.
// CHECK-LABEL: define {{.*}} @k(
// CHECK-NOT: shufflevector <8 x i32> {{.*}}, <4 x i32>
// CHECK: call void @__hostcl_coverage_mark.v8i32(i32 0, <8 x i32> %{{.*}})
// SUM: end.counted:
// SUM: call i32 @llvm.vector.reduce.or.v8i32(
// SUM-NOT: call {{.*}}@llvm.vector.reduce
kernel void k(global const int* a, global int* b, int limit) {
  const int i = get_global_id(0);
  int n = 0;
  while (n < limit && a[i] * n < 100)
    n += 3;
  b[i] = n;
}

// hostclc --print-plan prints the plan of each kernel that it compiles, for the width that suits the kernel.
// RUN: hostclc --print-plan --width=8 %s 2>&1 | FileCheck %s
// RUN: hostclc %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// CHECK: plan of 'twice{{.*}}' for 8 lanes
// CHECK: CONTIGUOUS        %{{.*}} = load float
// CHECK: WIDEN             %{{.*}} = fmul
// CHECK: CONTIGUOUS        store float
// WITHOUT-NOT: plan of
kernel void twice(global float* a) {
  size_t i = get_global_id(0);
  a[i] = 2 * a[i];
}

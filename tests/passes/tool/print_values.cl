// RUN: hostclc --print-values --kernel=rows %s 2>/dev/null | FileCheck %s
//
// What is known of a kernel's values before it is vectorised.
// CHECK: rows:
// CHECK: affine 1; {{.*}}local_id(0){{.*}}; 0 to 2147483647; group-divergent
// CHECK: affine 4; {{.*}}4 * local_id(0){{.*}}group-divergent
// CHECK: it cannot tell groups
kernel void rows(global float* out, global const float* in) {
  out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
kernel void others(global float* out) {
  out[0] = 1;
}

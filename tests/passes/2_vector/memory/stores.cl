// Two ways that store to the same place are one store for all lanes.
// RUN: hostclc --print=lower-traps %s 2>&1 | FileCheck %s

// CHECK-LABEL: @border
// CHECK: phi float
// CHECK: store float
// CHECK-NOT: store float
kernel void border(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  if (i < 4)
    out[i] = in[i];
  else
    out[i] = in[i - 1] + in[i + 1];
}

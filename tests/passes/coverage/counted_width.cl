// RUN: hostclc --cpu=znver4 %s 2>&1 | FileCheck %s
// RUN: hostclc --cpu=znver4 --coverage %s 2>&1 | FileCheck %s
// RUN: hostclc --cpu=haswell %s 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: hostclc --cpu=haswell --coverage %s 2>&1 | FileCheck %s --check-prefix=NARROW

// Calls that count executions, and what only these calls need, cost nothing when the number of vectors that hide
// latency is chosen.
// CHECK: kernel 'k': 32 work-items at a time
// NARROW: kernel 'k': 16 work-items at a time
kernel void k(global uint* a, uint limit) {
  const float c = 0.001f * get_global_id(0), d = 0.001f * get_global_id(1);
  float x = 0.0f, y = 0.0f;
  uint i = 0;
  while (i < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + c;
    y = 2.0f * x * y + d;
    x = next;
    ++i;
  }
  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = i;
}

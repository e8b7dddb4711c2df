// RUN: hostclc --coverage --print=counted-exchange-loops %s | FileCheck %s

// A loop that adds by compare-exchange becomes an atomic addition, although the loop counts its repetitions and an
// earlier pass has moved a conversion beside the count.
// CHECK-LABEL: define {{.*}} @add(
// CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float 1.000000e+00
// CHECK-NOT: cmpxchg
// CHECK: ret void
kernel void add(volatile global float* sum) {
  volatile global uint* const cell = (volatile global uint*)sum;
  uint seen = *cell, expected;
  do {
    expected = seen;
    seen = atomic_cmpxchg(cell, expected, as_uint(as_float(expected) + 1.0f));
  } while (seen != expected);
}

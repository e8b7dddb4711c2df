// RUN: hostclc --cpu=znver4 --coverage --print=simplify %s 2>&1 | FileCheck %s
// RUN: hostclc --cpu=znver4 %s 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: hostclc --cpu=znver4 --coverage %s 2>&1 | FileCheck %s --check-prefix=WIDTH

// Calls that count executions do not keep LLVM from unrolling a loop. Each iteration still counts once.
// CHECK-LABEL: define {{.*}} @k(
// CHECK-NOT: phi
// CHECK-COUNT-64: call void @__hostcl_coverage_count(i32 1, i64 1)
// CHECK-NOT: @__hostcl_coverage_count(i32 1
// CHECK-NOT: @llvm.sideeffect
// CHECK: ret void
// WIDTH: kernel 'k': 16 work-items at a time
kernel void k(global const float* a, global float* b, int w) {
  global const float* p = a + get_global_id(0);
  float s = 0;
  for (int i = 0; i < 64; i++, p += w)
    s += *p;
  b[get_global_id(0)] = s;
}

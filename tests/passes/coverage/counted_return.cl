// RUN: hostclc --width=8 --print=vectorise %s | FileCheck %s
// RUN: hostclc --width=8 --print=vectorise --coverage %s | FileCheck %s

// Kernels often return before a barrier if there is no element for a work-item, although OpenCL C does not allow this.
// The branch is not taken to be uniform, also if the side that returns counts its executions.
// CHECK: load.v8i32.p1({{.*}}, <8 x i1> [[INSIDE:%[0-9a-z.]+]],
// CHECK-NOT: <8 x i1> %mask)
// CHECK: store.v8i32.p1({{.*}}, <8 x i1> [[INSIDE]])
kernel void k(global int* a, local int* t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (g >= n) return;
  t[l] = a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[g] = t[l ^ 1];
}

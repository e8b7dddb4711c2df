// float4 elements under a guard that a quarter of the work-items pass.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void guarded_vectors_of_4(global const float4* a, global float4* b, int n) {
  int i = get_global_id(0);
  if (i < n / 4) b[i] = a[i] * 2;
}

// Both bounds of a 64-bit index.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void long_both_bounds(global const float* a, global float* b, int n) {
  long i = get_global_id(0);
  if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}

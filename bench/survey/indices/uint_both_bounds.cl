// Both bounds of an unsigned index.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void uint_both_bounds(global const float* a, global float* b, int n) {
  uint i = get_global_id(0);
  if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}

// A copy with an int index and an upper bound.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void int_upper_bound(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i];
}

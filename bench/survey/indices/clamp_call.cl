// Neighbours clamped by clamp.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void clamp_call(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[clamp(i - 2, 0, n - 1)] + a[clamp(i + 2, 0, n - 1)];
}

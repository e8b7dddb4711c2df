// Neighbours clamped by min and max.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void clamped_neighbours(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[max(i - 1, 0)] + a[min(i + 1, n - 1)];
}

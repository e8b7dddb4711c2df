// Neighbours that wrap around by a mask.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void periodic_mask(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[(i + 1) & (n - 1)] + a[(i - 1) & (n - 1)];
}

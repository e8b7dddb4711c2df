// Neighbours that wrap around by a comparison.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void periodic_select(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  int r = i + 1 == n ? 0 : i + 1, l = i == 0 ? n - 1 : i - 1;
  b[i] = a[r] + a[l];
}

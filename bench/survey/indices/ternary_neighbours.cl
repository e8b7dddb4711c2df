// Neighbours that are zero outside of the array.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void ternary_neighbours(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = (i > 0 ? a[i - 1] : 0.0f) + (i < n - 1 ? a[i + 1] : 0.0f);
}

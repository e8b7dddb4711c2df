// Particles of seven floats in an array for each.
// global: 74752
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 74752

kernel void struct_of_arrays(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[i] + a[i + 3 * n] * 0.1f;
  b[i + n] = a[i + n] + a[i + 4 * n] * 0.1f;
  b[i + 2 * n] = a[i + 2 * n] + a[i + 5 * n] * 0.1f;
  b[i + 5 * n] = a[i + 5 * n] - a[i + 6 * n];
}

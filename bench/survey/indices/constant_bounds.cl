// Neighbours of an int index between bounds that the program states.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void constant_bounds(global const float* a, global float* b) {
  int i = get_global_id(0);
  if (i < 2 || i >= 524286) return;
  b[i] = a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2];
}

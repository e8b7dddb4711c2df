// Coordinates from % and / by a constant.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void division_by_constant(global const float* a, global float* b) {
  int i = get_global_id(0);
  int x = i % 1000, y = i / 1000;
  b[y * 1000 + x] = a[y * 1000 + x] + x;
}

// Coordinates of 64 bits from % and / by an argument.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// w: int 1024

kernel void division_size_t(global const float* a, global float* b, int w) {
  size_t i = get_global_id(0), x = i % w, y = i / w;
  b[y * w + x] = a[y * w + x] + x;
}

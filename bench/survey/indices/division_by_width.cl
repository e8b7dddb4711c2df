// Coordinates from % and / by an argument.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// w: int 1024

kernel void division_by_width(global const float* a, global float* b, int w) {
  int i = get_global_id(0);
  int x = i % w, y = i / w;
  b[y * w + x] = a[y * w + x] + x;
}

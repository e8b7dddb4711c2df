// A scaled copy with a guard in two dimensions.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void guard(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) b[y * w + x] = a[y * w + x] * 2;
}

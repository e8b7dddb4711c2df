// Six neighbours in three dimensions.
// global: 128 64 64
// local: 16 4 4
// a: float 524288 random
// b: float 524288 zero
// w: int 128
// h: int 64
// d: int 64

kernel void stencil_3d(global const float* a, global float* b, int w, int h, int d) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int i = (z * h + y) * w + x;
  if (x > 0 && y > 0 && z > 0 && x < w - 1 && y < h - 1 && z < d - 1)
    b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w] + a[i - w * h] + a[i + w * h] - 6 * a[i];
}

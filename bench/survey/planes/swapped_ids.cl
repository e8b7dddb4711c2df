// A stencil whose first dimension is the row.
// global: 512 1024
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void swapped_ids(global const float* a, global float* b, int w, int h) {
  int y = get_global_id(0), x = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) b[y * w + x] = a[y * w + x - 1] + a[(y - 1) * w + x];
}

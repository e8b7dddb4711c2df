// A stencil whose coordinates come from % and /.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void division_stencil(global const float* a, global float* b, int w, int h) {
  int i = get_global_id(0);
  int x = i % w, y = i / w;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}

// Four neighbours around one index.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void stencil_index(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}

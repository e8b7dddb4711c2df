// A convolution of 5 × 5 with coefficients in constant memory.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512
// c: float 25 random

kernel void convolution(global const float* a, global float* b, int w, int h, constant float* c) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int dy = 0; dy < 5; dy++)
    for (int dx = 0; dx < 5; dx++)
      s += a[min(y + dy, h - 1) * w + min(x + dx, w - 1)] * c[dy * 5 + dx];
  b[y * w + x] = s;
}

// A box of 3 × 3 with clamped coordinates.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void clamped_box(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      s += a[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
  b[y * w + x] = s;
}

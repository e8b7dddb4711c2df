// A box of 3 × 3 with an early return.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void guarded_box(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      s += a[(y + dy) * w + x + dx];
  b[y * w + x] = s;
}

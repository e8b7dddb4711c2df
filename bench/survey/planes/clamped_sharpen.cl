// An unsharp mask with neighbours clamped by min and max.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void clamped_sharpen(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float v = a[y * w + x];
  float s = a[y * w + max(x - 1, 0)] + a[y * w + min(x + 1, w - 1)] + a[max(y - 1, 0) * w + x] +
            a[min(y + 1, h - 1) * w + x];
  b[y * w + x] = v + 0.5f * (v - 0.25f * s);
}

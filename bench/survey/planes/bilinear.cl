// Bilinear sampling written by hand.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void bilinear(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float fx = x * 0.9f + 3.3f, fy = y * 0.9f + 2.2f;
  int ix = (int)fx, iy = (int)fy;
  fx -= ix;
  fy -= iy;
  ix = clamp(ix, 0, w - 2);
  iy = clamp(iy, 0, h - 2);
  float p = a[iy * w + ix], q = a[iy * w + ix + 1], r = a[(iy + 1) * w + ix], s = a[(iy + 1) * w + ix + 1];
  b[y * w + x] = mix(mix(p, q, fx), mix(r, s, fx), fy);
}

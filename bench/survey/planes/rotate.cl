// A rotation with the nearest pixel.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void rotate(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float cx = x - 256.0f, cy = y - 256.0f;
  int sx = (int)(cx * 0.8f - cy * 0.6f + 256.0f), sy = (int)(cx * 0.6f + cy * 0.8f + 256.0f);
  float v = 0;
  if (sx >= 0 && sx < w && sy >= 0 && sy < h) v = a[sy * w + sx];
  b[y * w + x] = v;
}

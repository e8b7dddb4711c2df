// A sharpened image of bytes.
// global: 1024 512
// local: 16 16
// a: uchar 524288 random
// b: uchar 524288 zero
// w: int 1024
// h: int 512

kernel void sharpened_bytes(global const uchar* a, global uchar* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int edge = 4 * a[i] - a[i - 1] - a[i + 1] - a[i - w] - a[i + w];
  b[i] = clamp(a[i] + edge / 2, 0, 255);
}

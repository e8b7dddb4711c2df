// Corners: how many bytes on a circle differ from the one in its middle.
// global: 1024 512
// local: 16 16
// a: uchar 524288 random
// b: uchar 524288 zero
// w: int 1024
// h: int 512

kernel void corners(global const uchar* a, global uchar* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  if (x < 3 || y < 3 || x >= w - 3 || y >= h - 3) return;
  int middle = a[i], count = 0;
  count += abs(a[i - 3 * w] - middle) > 20;
  count += abs(a[i - 2 * w + 2] - middle) > 20;
  count += abs(a[i + 3] - middle) > 20;
  count += abs(a[i + 2 * w + 2] - middle) > 20;
  count += abs(a[i + 3 * w] - middle) > 20;
  count += abs(a[i + 2 * w - 2] - middle) > 20;
  count += abs(a[i - 3] - middle) > 20;
  count += abs(a[i - 2 * w - 2] - middle) > 20;
  b[i] = count >= 6 ? 255 : 0;
}

// Sobel's filter on bytes.
// global: 1024 512
// local: 16 16
// a: uchar 1572864 random
// b: uchar 524288 zero
// w: int 1024
// h: int 512

kernel void sobel(global const uchar* a, global uchar* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    int gx = a[i - w + 1] + 2 * a[i + 1] + a[i + w + 1] - a[i - w - 1] - 2 * a[i - 1] - a[i + w - 1];
    int gy = a[i + w - 1] + 2 * a[i + w] + a[i + w + 1] - a[i - w - 1] - 2 * a[i - w] - a[i - w + 1];
    b[i] = convert_uchar_sat(sqrt((float)(gx * gx + gy * gy)));
  }
}

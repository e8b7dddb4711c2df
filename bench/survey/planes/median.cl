// A median of 3 × 3 bytes, sorted in a private array.
// global: 1024 512
// local: 16 16
// a: uchar 1572864 random
// b: uchar 524288 zero
// w: int 1024
// h: int 512

kernel void median(global const uchar* a, global uchar* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    uchar v[9];
    int k = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        v[k++] = a[(y + dy) * w + x + dx];
    for (int i = 0; i < 5; i++)
      for (int j = i + 1; j < 9; j++) {
        uchar lo = min(v[i], v[j]), hi = max(v[i], v[j]);
        v[i] = lo;
        v[j] = hi;
      }
    b[y * w + x] = v[4];
  }
}

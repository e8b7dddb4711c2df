// Grey values of three interleaved bytes.
// global: 1024 512
// local: 16 16
// a: uchar 1572864 random
// b: uchar 524288 zero
// w: int 1024
// h: int 512

kernel void grey(global const uchar* a, global uchar* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = (y * w + x) * 3;
  b[y * w + x] = (a[i] * 77 + a[i + 1] * 150 + a[i + 2] * 29) >> 8;
}

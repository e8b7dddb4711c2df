// Colours with two channels exchanged.
// global: 1024 512
// local: 16 16
// a: uchar 2097152 random
// b: uchar 2097152 zero
// w: int 1024
// h: int 512

kernel void swizzle(global const uchar4* a, global uchar4* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    uchar4 p = a[y * w + x];
    b[y * w + x] = (uchar4)(p.z, p.y, p.x, p.w);
  }
}

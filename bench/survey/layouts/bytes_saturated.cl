// Saturated sums of bytes.
// global: 524288
// local: 256
// a: uchar 1572864 random
// b: uchar 524288 zero
// n: int 524288

kernel void bytes_saturated(global const uchar* a, global uchar* b, int n) {
  int i = get_global_id(0);
  b[i] = add_sat(a[i], (uchar)(a[i + n] >> 1));
}

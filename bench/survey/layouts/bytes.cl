// Arithmetic on bytes.
// global: 524288
// local: 256
// a: uchar 1572864 random
// b: uchar 524288 zero

kernel void bytes(global const uchar* a, global uchar* b) {
  int i = get_global_id(0);
  b[i] = (a[i] + 1) ^ 3;
}

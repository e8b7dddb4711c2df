// Products of 64-bit integers.
// global: 262144
// local: 256
// a: long 262144 random
// b: long 262144 zero

kernel void longs(global const long* a, global long* b) {
  size_t i = get_global_id(0);
  b[i] = a[i] * (long)(i + 3);
}

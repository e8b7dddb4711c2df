// popcount and clz.
// global: 524288
// local: 256
// a: uint 524288 random
// b: uint 524288 zero

kernel void bit_counts(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  b[i] = popcount(a[i]) + clz(a[i]);
}

// Bits at random places.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 16384 zero

kernel void random_bits(global const uint* a, volatile global int* b) {
  int i = get_global_id(0);
  atomic_or(b + (a[i] >> 5 & 16383), 1 << (a[i] & 31));
}

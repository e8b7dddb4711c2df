// Sums at random places.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 65536 zero

kernel void random_sums(global const uint* a, volatile global int* b) {
  int i = get_global_id(0);
  atomic_add(b + (a[i] & 65535), i);
}

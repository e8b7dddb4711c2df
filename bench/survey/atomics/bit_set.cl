// Bits of a set, 32 for each word.
// global: 524288
// local: 256
// a: float 524288 random
// b: int 16384 zero

kernel void bit_set(global const float* a, volatile global int* b) {
  int i = get_global_id(0);
  if (a[i] > 0.5f) atomic_or(b + i / 32, 1 << (i & 31));
}

// Sums of rows of 64, an atomic addition for each element.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 8192 zero

kernel void row_sums(global const uint* a, volatile global int* b) {
  int i = get_global_id(0);
  atomic_add(b + i / 64, a[i] & 255);
}

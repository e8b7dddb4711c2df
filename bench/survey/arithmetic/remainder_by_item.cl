// Remainders by numbers in memory.
// global: 524288
// local: 256
// a: int 524288 random
// b: int 524288 zero

kernel void remainder_by_item(global const int* a, global int* b) {
  int i = get_global_id(0);
  b[i] = a[i] % (a[i ^ 1] | 1);
}

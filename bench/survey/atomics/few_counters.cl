// Eight counters.
// global: 524288
// local: 256
// b: int 8 zero

kernel void few_counters(volatile global int* b) {
  int i = get_global_id(0);
  atomic_add(b + (i & 7), i);
}

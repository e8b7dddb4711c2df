// One maximum.
// global: 524288
// local: 256
// a: int 524288 random
// b: int 1 zero

kernel void maximum(global const int* a, volatile global int* b) {
  int i = get_global_id(0);
  atomic_max(b, a[i]);
}

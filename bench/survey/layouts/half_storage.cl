// half in memory and float in registers.
// global: 524288
// local: 256
// a: half 524288 random
// b: half 524288 zero

kernel void half_storage(global const half* a, global half* b) {
  int i = get_global_id(0);
  vstore_half(vload_half(i, a) * 2, i, b);
}

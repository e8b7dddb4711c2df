// A relaxed sum by atomic_fetch_add_explicit.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 4 zero

kernel void fetch_explicit(global const uint* a, volatile global atomic_int* b) {
  int i = get_global_id(0);
  atomic_fetch_add_explicit(b + (a[i] & 3), a[i] & 15, memory_order_relaxed, memory_scope_device);
}

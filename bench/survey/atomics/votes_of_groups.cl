// One counter, raised by every second work-item.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 1 zero

kernel void votes_of_groups(global const uint* a, volatile global int* b) {
  int i = get_global_id(0);
  if (a[i] & 1) atomic_inc(b);
}

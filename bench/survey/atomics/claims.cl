// Compare-exchange that claims random places.
// global: 524288
// local: 256
// a: uint 524288 random
// b: int 589824 zero unchecked reset

kernel void claims(global const uint* a, volatile global int* b) {
  int i = get_global_id(0);
  b[i + 65536] = atomic_cmpxchg(b + (a[i] & 65535), 0, i + 1) == 0;
}

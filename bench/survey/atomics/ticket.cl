// A counter whose result is stored.
// global: 524288
// local: 256
// b: int 524352 zero unchecked reset

kernel void ticket(volatile global int* b) {
  int i = get_global_id(0);
  b[i + 64] = atomic_inc(b);
}

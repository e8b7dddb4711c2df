// One sum of floats by a loop around compare-exchange.
// global: 16384
// local: 256
// a: float 524288 random
// b: uint 1 zero unchecked reset

kernel void sum_of_floats(global const float* a, volatile global uint* b) {
  int i = get_global_id(0);
  uint old, new;
  do {
    old = *b;
    new = as_uint(as_float(old) + a[i]);
  } while (atomic_cmpxchg(b, old, new) != old);
}

// A maximum of floats by a loop around compare-exchange.
// global: 65536
// local: 256
// a: float 65536 random
// b: uint 1 zero reset

kernel void float_maximum(global const float* a, volatile global uint* b) {
  int i = get_global_id(0);
  float x = a[i];
  uint old = *b;
  while (as_float(old) < x) {
    uint seen = atomic_cmpxchg(b, old, as_uint(x));
    if (seen == old) break;
    old = seen;
  }
}

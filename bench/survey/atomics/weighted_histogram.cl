// A histogram of bytes with a weight for each, in floats by loops around compare-exchange.
// global: 131072
// local: 256
// a: uchar 524288 random
// w: float 524288 random
// b: uint 256 zero unchecked reset

kernel void weighted_histogram(global const uchar* a, global const float* w, volatile global uint* b) {
  int i = get_global_id(0);
  volatile global uint* cell = b + a[i];
  uint old = *cell, seen;
  while ((seen = atomic_cmpxchg(cell, old, as_uint(as_float(old) + w[i]))) != old)
    old = seen;
}

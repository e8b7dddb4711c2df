// Sums of floats in 1,024 cells by loops around compare-exchange.
// global: 131072
// local: 256
// a: float 524288 random
// b: uint 1024 zero unchecked reset
// p: int 524288 permutation

kernel void float_sums(global const float* a, volatile global uint* b, global const int* p) {
  int i = get_global_id(0);
  volatile global uint* c = b + (p[i] & 1023);
  uint old, new;
  do {
    old = *c;
    new = as_uint(as_float(old) + a[i]);
  } while (atomic_cmpxchg(c, old, new) != old);
}

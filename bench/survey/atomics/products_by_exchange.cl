// A product in one word, by a loop around compare-exchange.
// global: 16384
// local: 256
// a: uint 524288 random
// b: uint 1 zero unchecked reset

kernel void products_by_exchange(global const uint* a, volatile global uint* b) {
  int i = get_global_id(0);
  uint old = *b, seen;
  while ((seen = atomic_cmpxchg(b, old, old * (a[i] | 1))) != old)
    old = seen;
}

// A list of all work-items: each puts itself in front by a loop around compare-exchange.
// global: 65536
// local: 256
// head: uint 1 zero unchecked reset
// next: uint 65536 zero unchecked

kernel void list_by_exchange(volatile global uint* head, global uint* next) {
  uint i = get_global_id(0), old = *head, seen;
  next[i] = old;
  while ((seen = atomic_cmpxchg(head, old, i)) != old)
    next[i] = old = seen;
}

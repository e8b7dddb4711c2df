// Exchanges on one address.
// global: 524288
// local: 256
// b: int 1 zero unchecked
// c: int 524288 zero

kernel void union_by_exchange(volatile global int* b, global int* c) {
  int i = get_global_id(0);
  c[i] = atomic_xchg(b, i) & 0;
}

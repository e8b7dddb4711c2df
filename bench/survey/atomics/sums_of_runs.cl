// Sums of runs whose length is an argument, an atomic addition for each element.
// global: 524288
// local: 256
// a: uint 524288 random
// b: uint 1024 zero
// n: int 1000

kernel void sums_of_runs(global const uint* a, volatile global uint* b, int n) {
  int i = get_global_id(0);
  atomic_add(b + i / n, a[i] & 255);
}

// A histogram in a grid-stride loop.
// global: 4096
// local: 256
// a: uchar 1572864 random
// b: int 256 zero
// n: int 524288

kernel void histogram_loop(global const uchar* a, volatile global int* b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(b + a[i]);
}

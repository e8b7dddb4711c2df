// A histogram of more than the caches hold, in a grid-stride loop.
// global: 4096
// local: 256
// a: uchar 67108864 random
// b: int 256 zero
// n: int 67108864

kernel void histogram_large(global const uchar* a, volatile global int* b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(b + a[i]);
}

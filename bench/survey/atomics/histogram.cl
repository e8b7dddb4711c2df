// A histogram of bytes in global memory.
// global: 524288
// local: 256
// a: uchar 1572864 random
// b: int 256 zero

kernel void histogram(global const uchar* a, volatile global int* b) {
  int i = get_global_id(0);
  atomic_inc(b + a[i]);
}

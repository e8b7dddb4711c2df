// A gather through a table of indices.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288
// p: int 524288 permutation

kernel void gather(global const float* a, global float* b, int n, global const int* p) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[p[i]];
}

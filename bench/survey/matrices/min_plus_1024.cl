// The shortest ways of two steps: a product of matrices with a sum for the product and the minimum for the sum.
// global: 1024 1024
// local: 16 16
// n: int 1024
// a: uint 1048576 random
// b: uint 1048576 random
// c: uint 1048576 zero

kernel void min_plus_1024(int n, global const uint* a, global const uint* b, global uint* c) {
  int j = get_global_id(0), i = get_global_id(1);
  uint least = UINT_MAX;
  for (int k = 0; k < n; ++k)
    least = min(least, (a[i * n + k] >> 1) + (b[k * n + j] >> 1));
  c[i * n + j] = least;
}

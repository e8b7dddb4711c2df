// A matrix product in which a power of two is between rows, so that columns have few places in the cache.
// global: 1024 1024
// local: 16 16
// a: float 1048576 random
// b: float 1048576 random
// c: float 1048576 zero
// n: int 1024

kernel void product_1024(global const float* a, global const float* b, global float* c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

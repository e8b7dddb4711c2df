// A loop that ends at the first match.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void first_match(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  int k;
  for (k = 0; k < 16; k++)
    if (a[(i + k) & (n - 1)] > 0.9f) break;
  b[i] = k;
}

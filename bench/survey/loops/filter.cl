// A filter of nine coefficients.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288
// c: float 9 random

kernel void filter(global const float* a, global float* b, int n, constant float* c) {
  int i = get_global_id(0);
  if (i >= 4 && i < n - 4) {
    float s = 0;
    for (int k = -4; k <= 4; k++)
      s += a[i + k] * c[k + 4];
    b[i] = s;
  }
}

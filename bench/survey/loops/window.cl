// A sum over nine neighbours.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void window(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= 4 && i < n - 4) {
    float s = 0;
    for (int k = -4; k <= 4; k++)
      s += a[i + k];
    b[i] = s;
  }
}

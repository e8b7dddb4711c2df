// Sums of rows of 64.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 8192 zero

kernel void row_sum(global const float* a, global float* b) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 64; k++)
    s += a[i * 64 + k];
  b[i] = s;
}

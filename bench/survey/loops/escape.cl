// An iteration of different length.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void escape(global const float* a, global float* b) {
  int i = get_global_id(0);
  float cr = a[i] * 3 - 2, ci = (i & 1023) * 0.002f - 1, x = 0, y = 0;
  int k = 0;
  while (x * x + y * y < 4 && k < 64) {
    float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    k++;
  }
  b[i] = k;
}

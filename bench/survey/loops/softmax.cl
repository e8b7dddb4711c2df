// The softmax of rows of 64.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 524288 zero

kernel void softmax(global const float* a, global float* b) {
  int i = get_global_id(0);
  global const float* p = a + i * 64;
  float m = p[0], s = 0;
  for (int k = 1; k < 64; k++)
    m = fmax(m, p[k]);
  for (int k = 0; k < 64; k++)
    s += exp(p[k] - m);
  for (int k = 0; k < 64; k++)
    b[i * 64 + k] = exp(p[k] - m) / s;
}

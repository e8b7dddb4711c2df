// Maxima of rows of 64 through a pointer.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 8192 zero

kernel void row_maximum(global const float* a, global float* b) {
  int i = get_global_id(0);
  global const float* p = a + i * 64;
  float s = p[0];
  for (int k = 1; k < 64; k++)
    s = fmax(s, p[k]);
  b[i] = s;
}

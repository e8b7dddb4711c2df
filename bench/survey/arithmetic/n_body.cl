// 256 bodies on one, with rsqrt.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 524288 zero

kernel void n_body(global const float* a, global float* b) {
  int i = get_global_id(0);
  float x = a[i], s = 0;
  for (int j = 0; j < 256; j++) {
    float d = a[j] - x;
    s += d * rsqrt(d * d + 0.01f);
  }
  b[i] = s;
}

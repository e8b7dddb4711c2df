// Kahan's sum with volatile variables.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 8192 zero

kernel void compensated_sum(global const float* a, global float* b) {
  int i = get_global_id(0);
  volatile float s = 0, c = 0;
  for (int k = 0; k < 64; k++) {
    float y = a[i * 64 + k] - c, t = s + y;
    c = (t - s) - y;
    s = t;
  }
  b[i] = s;
}

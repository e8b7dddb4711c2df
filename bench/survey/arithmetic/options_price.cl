// Black and Scholes.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void options_price(global const float* a, global float* b) {
  int i = get_global_id(0);
  float s = a[i] * 100 + 1, k = 50, t = 0.5f + a[i], v = 0.3f, r = 0.02f;
  float d = (log(s / k) + (r + v * v / 2) * t) / (v * sqrt(t));
  b[i] = s * 0.5f * erfc(-d * M_SQRT1_2_F) - k * exp(-r * t) * 0.5f * erfc((v * sqrt(t) - d) * M_SQRT1_2_F);
}

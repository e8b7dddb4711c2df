// Three interleaved floats to one.
// global: 174592
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void rgb_read(global const float* a, global float* b) {
  int i = get_global_id(0);
  float r = a[3 * i], g = a[3 * i + 1], d = a[3 * i + 2];
  b[i] = 0.3f * r + 0.6f * g + 0.1f * d;
}

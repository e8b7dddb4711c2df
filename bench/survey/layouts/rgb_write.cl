// One float to three interleaved ones.
// global: 174592
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void rgb_write(global const float* a, global float* b) {
  int i = get_global_id(0);
  b[3 * i] = a[i];
  b[3 * i + 1] = a[i] * 2;
  b[3 * i + 2] = a[i] * 3;
}

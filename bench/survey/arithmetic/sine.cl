// sin and cos of numbers up to 10.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void sine(global const float* a, global float* b) {
  int i = get_global_id(0);
  float c;
  float s = sincos(a[i] * 10, &c);
  b[i] = s + c;
}

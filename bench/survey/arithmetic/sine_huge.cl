// sin of numbers up to 1e9.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void sine_huge(global const float* a, global float* b) {
  int i = get_global_id(0);
  b[i] = sin(a[i] * 1e9f);
}

// pow.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void power(global const float* a, global float* b) {
  int i = get_global_id(0);
  b[i] = pow(a[i], 2.2f);
}

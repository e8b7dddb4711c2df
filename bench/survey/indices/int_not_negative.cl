// A copy whose guard asks for i >= 0.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void int_not_negative(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= 0 && i < n) b[i] = a[i];
}

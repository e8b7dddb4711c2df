// A copy through volatile pointers.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void volatile_copy(volatile global const float* a, volatile global float* b) {
  int i = get_global_id(0);
  b[i] = a[i];
}

// A copy with a size_t index.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void copy(global const float* a, global float* b) {
  size_t i = get_global_id(0);
  b[i] = a[i];
}

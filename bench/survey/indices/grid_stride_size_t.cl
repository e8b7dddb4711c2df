// A grid-stride loop with a size_t.
// global: 4096
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void grid_stride_size_t(global const float* a, global float* b, int n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
    b[i] = a[i] * 2;
}

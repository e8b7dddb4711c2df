// Numbers of half, rounded and clamped.
// global: 524288
// local: 256
// a: half 524288 random
// b: half 524288 zero

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void half_rounding(global const half* a, global half* b) {
  int i = get_global_id(0);
  b[i] = fmin(fmax(floor(a[i] * 9.0h), 1.0h), 7.0h);
}

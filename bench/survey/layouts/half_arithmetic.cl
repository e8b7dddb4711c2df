// A polynomial in half.
// global: 524288
// local: 256
// a: half 524288 random
// b: half 524288 zero

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void half_arithmetic(global const half* a, global half* b) {
  int i = get_global_id(0);
  half x = a[i];
  b[i] = ((x * 0.5h + 0.25h) * x + 0.125h) * x + 1.0h;
}

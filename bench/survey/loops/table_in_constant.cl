// A table in constant memory.
// global: 524288
// local: 256
// a: uchar 1572864 random
// b: float 524288 zero
// c: float 256 random

kernel void table_in_constant(global const uchar* a, global float* b, constant float* c) {
  int i = get_global_id(0);
  b[i] = c[a[i]];
}

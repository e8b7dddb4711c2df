// Four floats by vload4 and vstore4.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void load_4(global const float* a, global float* b) {
  int i = get_global_id(0);
  vstore4(vload4(i, a) * 2, i, b);
}

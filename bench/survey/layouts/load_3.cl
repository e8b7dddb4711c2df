// Three floats by vload3 and vstore3.
// global: 174592
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void load_3(global const float* a, global float* b) {
  int i = get_global_id(0);
  float3 p = vload3(i, a);
  vstore3(p * length(p), i, b);
}

// A component that the index chooses.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void dynamic_component(global const float4* a, global float* b) {
  int i = get_global_id(0);
  float4 v = a[i & 131071];
  b[i] = ((float*)&v)[i & 3];
}

// float3 elements.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero unchecked

kernel void vectors_of_3(global const float3* a, global float3* b) {
  int i = get_global_id(0);
  b[i] = a[i] * 2;
}

// float4 elements.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void vectors_of_4(global const float4* a, global float4* b) {
  int i = get_global_id(0);
  b[i] = a[i] * 2 + a[i].w;
}

// Dots and lengths of float4.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void float4_dot(global const float4* a, global float* b) {
  int i = get_global_id(0);
  float4 p = a[i];
  b[i] = dot(p, p.wzyx) + length(p);
}

// 256 bodies of float4 on one.
// global: 4096
// local: 64
// a: float 16384 random
// b: float 16384 zero

kernel void n_body_3d(global const float4* a, global float4* b) {
  int i = get_global_id(0);
  float4 p = a[i];
  float3 f = 0;
  for (int j = 0; j < 256; j++) {
    float3 d = a[j].xyz - p.xyz;
    float r = rsqrt(dot(d, d) + 0.01f);
    f += d * (a[j].w * r * r * r);
  }
  b[i] = (float4)(f, 0);
}

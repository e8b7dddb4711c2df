// Rays against sixteen spheres.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void ray_and_spheres(global const float* a, global float* b) {
  int i = get_global_id(0);
  float3 d = normalize((float3)(a[i] - 0.5f, a[i ^ 1] - 0.5f, 1));
  float nearest = 1e9f;
  int hit = -1;
  for (int k = 0; k < 16; k++) {
    float3 c = vload3(k, a) * 4 - (float3)(2, 2, -3);
    float m = dot(c, d), q = m * m - dot(c, c) + 0.5f;
    if (q > 0) {
      float t = m - sqrt(q);
      if (t > 0 && t < nearest) {
        nearest = t;
        hit = k;
      }
    }
  }
  b[i] = nearest + hit;
}

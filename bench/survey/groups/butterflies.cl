// A Fourier transform of 256 complex numbers in local memory.
// global: 32768
// local: 128
// a: float 524288 random
// b: float 524288 zero

kernel void butterflies(global const float2* a, global float2* b) {
  local float2 t[256];
  int l = get_local_id(0);
  t[l] = a[get_group_id(0) * 256 + l];
  t[l + 128] = a[get_group_id(0) * 256 + l + 128];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 256; s *= 2) {
    int k = l & (s - 1), p = (l - k) * 2 + k;
    float2 x = t[p], y = t[p + s];
    float c, d = sincos(-M_PI_F * k / s, &c);
    y = (float2)(y.x * c - y.y * d, y.x * d + y.y * c);
    t[p] = x + y;
    t[p + s] = x - y;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_group_id(0) * 256 + l] = t[l];
  b[get_group_id(0) * 256 + l + 128] = t[l + 128];
}

// A Fourier transform of 256 complex numbers in local memory, with real and imaginary parts apart.
// global: 32768
// local: 128
// a: float 65536 random
// b: float 65536 zero
// c: float 65536 zero

kernel void fourier_split(global const float* a, global float* b, global float* c) {
  local float re[256], im[256];
  int l = get_local_id(0), g = get_group_id(0) * 256;
  re[l] = a[g + l];
  re[l + 128] = a[g + l + 128];
  im[l] = im[l + 128] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 256; s *= 2) {
    int k = l & (s - 1), p = (l - k) * 2 + k, q = p + s;
    float x, y = sincos(-M_PI_F * k / s, &x);
    float u = re[q] * x - im[q] * y, v = re[q] * y + im[q] * x;
    re[q] = re[p] - u;
    im[q] = im[p] - v;
    re[p] += u;
    im[p] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[g + l] = re[l];
  b[g + l + 128] = re[l + 128];
  c[g + l] = im[l];
  c[g + l + 128] = im[l + 128];
}

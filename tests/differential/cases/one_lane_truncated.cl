// range: dimensions 1 global 2 local 2 offset 0
#pragma OPENCL FP_CONTRACT OFF
ulong __attribute__((overloadable)) bits(ulong x) {
  return x;
}
ulong __attribute__((overloadable)) bits(float x) {
  return isnan(x) ? 1 : as_uint(x);
}
ulong __attribute__((overloadable)) bits(double x) {
  return isnan(x) ? 1 : as_ulong(x);
}
ulong mix(ulong hash, ulong value) {
  return rotate(hash, 9ul) + value;
}
kernel void test(
global const long* in64,
global ulong* result,
int n) {
  const int i = (int)(get_global_size(0) - 1 - get_global_id(0));
  const int lx = (int)get_local_id(0);
  const int group = (int)(get_group_id(0) + get_group_id(1) * 3 + get_group_id(2) * 7);
  uchar t5[4];
  for (int q6 = 0; q6 < 4; ++q6) t5[q6] = (uchar)(q6 * 3 + i);
  switch (lx & 7) {
    case 0: {
      t5[group & 3] = (uchar)in64[(uint)(i * 2) - 1u + (i == 0)];
    }
    case 1: {
    }
    break;
    case 2: {
    }
    break;
    case 3: {
    }
    break;
  }
  out:;
  ulong h = 0;
  for (int q = 0; q <= 3; ++q) h = mix(h, bits((ulong)t5[q]));
  result[i] = h;
}

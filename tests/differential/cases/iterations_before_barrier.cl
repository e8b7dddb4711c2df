// range: dimensions 1 global 6 local 3 offset 0
#pragma OPENCL FP_CONTRACT OFF
kernel void test(global const int* in32, global const uchar* in8, global const long* in64, global const float* inf, global int* out32, global uchar* out8, global ulong* out64, global float* outf, global uint* cells, global ulong* cells64, global ulong* result, local uint* exchange, int n, uint m) {
  const int i = (int)get_global_id(0), lid = (int)get_local_id(0);
  uint v = m;
  for (int k = -1; k < (lid & 3); ++k) v ^= 1;
  uint w = m, seen = 0;
  for (int k = 0; k < lid; ++k) {
    w = w * 5 + 1;
    seen = w ^ (uint)lid;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i] = v + 2ul * seen;
}

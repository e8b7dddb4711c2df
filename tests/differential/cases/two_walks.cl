// range: dimensions 1 global 1 local 2 offset 88
// range: dimensions 1 global 78 local 16 offset 0
// range: dimensions 1 global 15 local 1 offset 0
// Two loops in which neighbouring work-items read neighbouring elements, one after the other. The compiler gives both loops a
// preheader before it changes one of them.
#pragma OPENCL FP_CONTRACT OFF
kernel void test(
global ulong* result,
global const uint* far32,
global const uchar* far8,
global uint* tally,
int per,
uint unit,
int n) {
  const int i = (int)(get_global_linear_id());
  local int shared1[256];
  local uint shared14[100];
  {
    uint e2 = 1;
    for (int q4 = (int)get_local_id(0); q4 < 256; q4 += (int)get_local_size(0)) shared1[q4] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (true) {
      if (true) {
      }
      {
        for (int k11 = 0; k11 < 5; ++k11) {
          const uint x12 = k11 * (int)get_global_size(0) + i;
          if (far32[x12] & 1u) continue;
          atomic_xor(&shared1[far8[x12] & 7], unit);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q13 = get_local_id(0); q13 < 256; q13 += get_local_size(0)) atomic_xor(&tally[768 + q13], (uint)shared1[q13]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  {
    uint e15 = 1;
    for (uint q16 = get_local_id(0); q16 < 100; q16 += get_local_size(0)) shared14[q16] = ~0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (true)
    for (int o17 = 0; o17 < per; ++o17) {
      if (far8[i + o17] > 128) continue;
      {
        for (int x18 = (int)get_global_id(0); x18 < 2 * n; x18 += (int)(64u * e15)) atomic_and(&shared14[far32[x18] % 100u], ~(3u));
        for (int x19 = (int)get_global_id(0); x19 < 2 * n; x19 += (int)(64u * e15)) atomic_and(&shared14[far8[x19] % 100], ~(3u));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q20 = get_local_id(0); q20 < 100; q20 += get_local_size(0)) atomic_and(&tally[1280 + q20], (uint)shared14[q20]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out:;
  ulong h = 0;
  result[i] = h;
}

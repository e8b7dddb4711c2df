// range: dimensions 1 global 8 local 8 offset 0
// A branch in the loop's header parts the work-items, one further on, the same for all who come there, leaves the loop.
kernel void test(global const int* in32, global const uchar* in8, global const long* in64, global const float* inf, global int* out32, global uchar* out8, global ulong* out64, global float* outf, global uint* cells, global ulong* cells64, global ulong* result, local uint* exchange, int n, uint m) {
  const int i = (int)(get_global_linear_id()), lid = (int)get_local_linear_id();
  const uint last = 3 + (m == 12345);
  uint y = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0;; ++k) {
    y = k * 5 + 1;
    if ((lid & 1) | (k > last)) {
      out64[i] = y;
      if (k >= last) break;
    }
    out8[i] = k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i] = y;
}

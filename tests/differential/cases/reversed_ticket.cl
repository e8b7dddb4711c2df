// range: dimensions 1 global 3 local 3 offset 0
#pragma OPENCL FP_CONTRACT OFF
enum { ADD, OR, AND, XOR, MAX, MIN, SIGNED, COUNT = 8, SUM, TICKET, CAS, FLOAT, HISTOGRAM };
uint scramble(uint x) {
  x = (x ^ 61) * 9u;
  return (x ^ (x >> 4)) * 0x27d4eb2du;
}
kernel void test(global const int* in32, global const uchar* in8, global const long* in64, global const float* inf, global int* out32, global uchar* out8, global ulong* out64, global float* outf, global uint* cells, global ulong* cells64, global ulong* result, local uint* exchange, int n, uint m) {
  const int i = (int)get_global_id(0), lid = (int)get_local_linear_id();
  const int lsize = (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  atomic_add(&cells[SUM * 8 + 5], scramble(atomic_inc(&cells[TICKET * 8 + 0])));
  out:;
  ulong h = 0;
  result[i] = h;
}

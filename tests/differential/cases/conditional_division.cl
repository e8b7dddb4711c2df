// range: dimensions 3 global 8 2 2 local 8 2 2 offset 0 0 0
// One work-item at a time, LLVM's loop vectoriser took the division under the condition of its first round only.
ulong mix(ulong hash, ulong value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15ul + (hash >> 31);
}
kernel void test(global const int* in32, global const uchar* in8, global const long* in64, global const float* inf, global int* out32, global uchar* out8, global ulong* out64, global float* outf, global uint* cells, global ulong* cells64, global ulong* result, local uint* exchange, int n, uint m) {
  const int i = (int)(get_global_linear_id());
  float v3 = 7.25f;
  if ((double)inf[i] < (double)v3) v3 = inf[100u % (uint)n];
  result[i] = mix(0, as_uint(v3));
}

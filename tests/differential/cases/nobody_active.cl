// range: dimensions 1 global 5 local 5 offset 0
// A branch that no lane takes, as the compiler can tell: what is loaded there under an empty mask has no value, and
// must not take the mask's own with it.
ulong mix(ulong hash, ulong value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15ul + (hash >> 31);
}
__attribute__((reqd_work_group_size(5, 1, 1)))
kernel void test(global const int* in32, global const uchar* in8, global const long* in64, global const float* inf, global int* out32, global uchar* out8, global ulong* out64, global float* outf, global uint* cells, global ulong* cells64, global ulong* result, local uint* exchange, int n, uint m) {
  const int i = (int)(get_global_linear_id()), lid = (int)get_local_linear_id();
  switch ((8 > (uchar)(3 + lid) ? 63 : lid) & 3) {
    case 0: case 1: case 2:
      if (inf[n - 1 - i] == 0) atomic_add(&cells[9], lid & 7);
  }
  result[i] = mix(lid, 3);
}

// range: dimensions 1 global 124 local 31 offset 0
// range: dimensions 1 global 12 local 3 offset 0
// One work-item sets a variable before a barrier and reads it after it; the others leave it undefined.
kernel void test(global const int* in32, global int* out32, global ulong* result, int n) {
  const int i = (int)get_global_id(0), lid = (int)get_local_id(0);
  int x;
  if (lid == 0) {
    x = in32[get_group_id(0)];
    out32[i * 4] = lid;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) out32[i * 4 + 1] = x;
  result[i] = 1;
}

// range: dimensions 1 global 512 local 256 offset 0
kernel void test(global const int* in32, global ulong* result, int n) {
  local uint2 t[256];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = (uint2)(in32[g & 15] + g * 77, g);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < (int)get_local_size(0); s *= 2) {
    if (l % (2 * s) == 0) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  result[g] = as_ulong(t[l]);
}

// Blelloch's scan.
// global: 262144
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void tree_scan(global const float* a, global float* b) {
  local float t[512];
  int l = get_local_id(0), g = get_group_id(0) * 512;
  t[2 * l] = a[g + 2 * l];
  t[2 * l + 1] = a[g + 2 * l + 1];
  int o = 1;
  for (int d = 256; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) t[o * (2 * l + 2) - 1] += t[o * (2 * l + 1) - 1];
    o *= 2;
  }
  if (l == 0) t[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    o >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int p = o * (2 * l + 1) - 1, q = o * (2 * l + 2) - 1;
      float x = t[p];
      t[p] = t[q];
      t[q] += x;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  b[g + 2 * l] = t[2 * l];
  b[g + 2 * l + 1] = t[2 * l + 1];
}

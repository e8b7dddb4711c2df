// A dot product: a grid-stride loop and a tree.
// global: 16384
// local: 256
// a: float 524288 random
// b: float 64 zero
// n: int 524288

kernel void dot_product(global const float* a, global float* b, int n) {
  local float t[256];
  int l = get_local_id(0);
  float s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    s += a[i] * a[n - 1 - i];
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 128; k > 0; k >>= 1) {
    if (l < k) t[l] += t[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) b[get_group_id(0)] = t[0];
}

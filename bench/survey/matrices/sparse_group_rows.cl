// Sparse rows, eight work-items for each, summed in local memory.
// global: 131072
// local: 64
// a: float 524288 random
// b: float 16384 zero
// p: int 524288 permutation

kernel void sparse_group_rows(global const float* a, global float* b, global const int* p) {
  local float t[64];
  int l = get_local_id(0), row = get_global_id(0) / 8, j = l & 7;
  float s = 0;
  for (int k = row * 32 + j; k < row * 32 + 32; k += 8)
    s += a[k] * a[p[k]];
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (j == 0) {
    float r = 0;
    for (int k = 0; k < 8; k++)
      r += t[l + k];
    b[row] = r;
  }
}

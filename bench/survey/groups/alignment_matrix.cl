// Dynamic programming along a group's diagonals.
// global: 16384
// local: 64
// a: uchar 1572864 random
// b: int 16384 zero

kernel void alignment_matrix(global const uchar* a, global int* b) {
  local int t[3][64];
  int l = get_local_id(0), g = get_group_id(0);
  int best = 0;
  for (int k = 0; k < 3; k++)
    t[k][l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 127; d++) {
    int j = d - l, now = d % 3, last = (d + 2) % 3, older = (d + 1) % 3;
    int v = 0;
    if (j >= 0 && j < 64) {
      int up = l > 0 ? t[last][l - 1] : 0, left = t[last][l], diagonal = l > 0 ? t[older][l - 1] : 0;
      v = max(max(up, left) - 1, diagonal + ((a[g * 128 + l] & 3) == (a[g * 128 + 64 + j] & 3) ? 2 : -1));
      v = max(v, 0);
      best = max(best, v);
    }
    t[now][l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = best;
}

// range: dimensions 2 global 1 5 local 1 5 offset 0 0
kernel void test(global ulong* result, uint m, int n) {
  const int i = (int)(get_global_id(0) * get_global_size(1) + get_global_id(1));
  const int sx = (int)get_global_size(0);
  const int lsize = (int)(get_local_size(0) * get_local_size(1));
  int t[4];
  for (int q = 0; q < 4; ++q) t[q] = q * 3 + i;
  int a = t[sx & 3];
  if ((uint)i != m) a = i + 100;
  else t[lsize & 3] = 0;
  result[i] = (ulong)a;
}

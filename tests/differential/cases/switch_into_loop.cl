// range: dimensions 1 global 2 local 2 offset 0
kernel void test(global ulong* result, int n) {
  const int i = (int)get_global_linear_id();
  int k = 0;
  switch (i & 7) {
    case 6:
    case 3: goto again;
    case 1: k = 2;
  }
  while (k++ < 6) {
  again:
    result[i] += (ulong)k;
  }
  result[i] += 1;
}

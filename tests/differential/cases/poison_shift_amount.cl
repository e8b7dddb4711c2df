// range: dimensions 1 global 8 local driver offset 0
// One element of a private array that shifts make at once is of another kind: SLP vectorised, its lane shifts by 255.
kernel void test(global const long* in64, global ulong* result, int n) {
  const int i = (int)get_global_id(0);
  uchar v = (uchar)in64[1];
  long t[8];
  for (int q = 0; q < 8; ++q) t[q] = (long)(q * 3 + i);
  t[7] = (long)v;
  result[i] = (ulong)t[i & 7];
}

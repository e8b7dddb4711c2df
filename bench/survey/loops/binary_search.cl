// Binary searches in 131,072 numbers.
// global: 65536
// local: 256
// a: uint 131072 ascending
// b: uint 65536 zero

kernel void binary_search(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  uint k = i * 32768u, lo = 0, hi = 131072;
  while (lo < hi) {
    uint m = (lo + hi) / 2;
    if (a[m] < k)
      lo = m + 1;
    else
      hi = m;
  }
  b[i] = lo;
}

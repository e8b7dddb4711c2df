// How many numbers of each row exceed a limit, counted where the result is.
// global: 8192
// local: 64
// n: int 256
// a: uint 2097152 random
// b: int 8192 zero

kernel void counts_of_rows(int n, global const uint* a, volatile global int* b) {
  int row = get_global_id(0);
  for (int k = 0; k < n; ++k)
    if (a[row * n + k] > 0xc0000000) atomic_inc(b + row);
}

// sin of doubles up to 1e9.
// global: 65536
// local: 256
// a: double 65536 random
// b: double 65536 zero

kernel void sine_huge_double(global const double* a, global double* b) {
  int i = get_global_id(0);
  b[i] = sin(a[i] * 1e9);
}

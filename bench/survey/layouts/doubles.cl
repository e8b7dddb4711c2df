// A chain of double.
// global: 262144
// local: 256
// a: double 262144 random
// b: double 262144 zero

kernel void doubles(global const double* a, global double* b) {
  int i = get_global_id(0);
  b[i] = sqrt(a[i]) / (a[i] + 1) + fma(a[i], 1.5, 0.5);
}

// An integer division by an argument.
// global: 524288
// local: 256
// a: int 524288 random
// b: int 524288 zero
// w: int 1024

kernel void division_by_argument(global const int* a, global int* b, int w) {
  int i = get_global_id(0);
  b[i] = a[i] / w;
}

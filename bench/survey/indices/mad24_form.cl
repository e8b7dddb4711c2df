// An index by mad24.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void mad24_form(global const float* a, global float* b, int n) {
  int i = mad24((int)get_group_id(0), (int)get_local_size(0), (int)get_local_id(0));
  if (i < n) b[i] = a[i];
}

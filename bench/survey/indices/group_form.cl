// An index from the group's and the local id.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void group_form(global const float* a, global float* b, int n) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];
}

// sub_group_reduce_add.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero unchecked

kernel void sub_group_sum(global const float* a, global float* b) {
  float s = sub_group_reduce_add(a[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) b[get_global_id(0) & ~63] = s;
}

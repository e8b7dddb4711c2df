// work_group_reduce_add.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 2048 zero

kernel void work_group_sum(global const float* a, global float* b) {
  float s = work_group_reduce_add(a[get_global_id(0)]);
  if (get_local_id(0) == 0) b[get_group_id(0)] = s;
}

// A tree reduction in local memory, launched with groups of one work-item.
// global: 65536
// local: 1
// a: float 65536 random
// b: float 65536 zero

kernel void reduction_of_one(global const float* a, global float* b) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int o = get_local_size(0) / 2; o > 0; o /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < o) t[l] += t[l + o];
  }
  if (l == 0) b[get_group_id(0)] = t[0];
}

// A sum of a group with % and growing strides.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 2048 zero

kernel void interleaved_reduction(global const float* a, global float* b) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 1; s < 256; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % (2 * s) == 0) t[l] += t[l + s];
  }
  if (l == 0) b[get_group_id(0)] = t[0];
}

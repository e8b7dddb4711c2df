// An exchange within the group.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void exchange(global const float* a, global float* b) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = t[255 - l];
}

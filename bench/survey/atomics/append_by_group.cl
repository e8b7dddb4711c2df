// Elements above a threshold, with one reservation for each group.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero unchecked
// c: int 1 zero reset

kernel void append_by_group(global const float* a, global float* b, volatile global int* c) {
  local int count, base;
  int l = get_local_id(0);
  if (l == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = a[get_global_id(0)];
  int at = x > 0.5f ? atomic_inc(&count) : -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) base = atomic_add(c, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at >= 0) b[base + at] = x;
}

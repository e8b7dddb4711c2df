// A counter in local memory whose result is used.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void local_ticket(global const float* a, global float* b) {
  local int c;
  local float t[256];
  int l = get_local_id(0);
  if (l == 0) c = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = a[get_global_id(0)];
  t[atomic_inc(&c)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = t[l] * 0;
}

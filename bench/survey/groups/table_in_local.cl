// A table that the group copies to local memory.
// global: 524288
// local: 256
// a: uchar 1572864 random
// b: float 524288 zero
// c: float 256 random

kernel void table_in_local(global const uchar* a, global float* b, constant float* c) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = c[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = t[a[get_global_id(0)]];
}

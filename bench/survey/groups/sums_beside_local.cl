// Sums in global memory in a loop that reads local memory.
// global: 65536
// local: 64
// a: float 65536 random
// b: float 65536 zero reset

kernel void sums_beside_local(global const float* a, global float* b) {
  local float t[64];
  int l = get_local_id(0), i = get_global_id(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 64; k++)
    b[i] += t[k] * t[l];
}

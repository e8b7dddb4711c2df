// A histogram in local memory.
// global: 16384
// local: 256
// a: uchar 1572864 random
// b: int 256 zero
// n: int 524288

kernel void histogram_local(global const uchar* a, volatile global int* b, int n) {
  local uint t[256];
  int l = get_local_id(0);
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(t + a[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(b + l, t[l]);
}

// Counts of buckets in local memory.
// global: 65536
// local: 256
// a: uint 524288 random
// b: int 64 zero

kernel void local_buckets(global const uint* a, volatile global int* b) {
  local uint t[64];
  int l = get_local_id(0);
  if (l < 64) t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; k++)
    atomic_inc(t + (a[get_group_id(0) * 2048 + k * 256 + l] >> 26));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) atomic_add(b + l, t[l]);
}

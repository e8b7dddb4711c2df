// Launched with 64 work-items in groups of 16.
kernel void barriers(global int* a) {
  local int shared[16];
  int l = get_local_id(0), g = get_global_id(0); // 64
  shared[l] = a[g]; // 64
  barrier(CLK_LOCAL_MEM_FENCE); // 64
  for (int step = 8; step > 0; step /= 2) {
    if (l < step) // 256
      shared[l] += shared[l + step]; // 60
    barrier(CLK_LOCAL_MEM_FENCE); // 256
  }
  if (l == 0) // 64
    atomic_add(&a[0], shared[0]); // 4
  if (get_group_id(0) == 2) { // 64
    barrier(CLK_LOCAL_MEM_FENCE); // 16
    if (l & 1) // 16
      a[g] = 1; // 8
  }
}

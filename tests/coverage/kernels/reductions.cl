// Launched with 128 work-items in groups of 64.
kernel void halves(global int* a) {
  local int tile[64];
  int l = get_local_id(0); // 128
  tile[l] = a[get_global_id(0)]; // 128
  barrier(CLK_LOCAL_MEM_FENCE); // 128
  for (int offset = 32; offset > 0; offset /= 2) {
    if (l < offset) // 768
      tile[l] += tile[l + offset]; // 126
    barrier(CLK_LOCAL_MEM_FENCE); // 768
  }
  if (l == 0) // 128
    a[get_group_id(0)] = tile[0]; // 2
}

kernel void doubles(global int* a) {
  local int tile[64];
  uint l = get_local_id(0); // 128
  tile[l] = a[get_global_id(0)]; // 128
  barrier(CLK_LOCAL_MEM_FENCE); // 128
  for (uint offset = 1; offset < get_local_size(0); offset *= 2) {
    if (l % (2 * offset) == 0) // 768
      tile[l] += tile[l + offset]; // 126
    barrier(CLK_LOCAL_MEM_FENCE); // 768
  }
  if (l == 0) // 128
    a[get_group_id(0)] = tile[0]; // 2
}

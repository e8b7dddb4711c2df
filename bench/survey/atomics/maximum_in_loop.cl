// The greatest number of each group's columns, by way of local memory.
// global: 8192
// local: 64
// rows: int 256
// a: int 2097152 random
// b: int 128 zero

kernel void maximum_in_loop(int rows, global const int* a, global int* b) {
  local int most;
  int x = get_global_id(0), width = get_global_size(0);
  if (get_local_id(0) == 0) most = INT_MIN;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = 0; y < rows; ++y)
    atomic_max(&most, a[y * width + x]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) b[get_group_id(0)] = most;
}

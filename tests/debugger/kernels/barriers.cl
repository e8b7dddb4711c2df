kernel void barriers(global const int* in, global int* out, int by) {
  local int shared[8];
  int l = get_local_id(0);
  int x = in[get_global_id(0)];
  int squares[2] = {l * l, x * x};
  shared[l] = x * by;
  barrier(CLK_LOCAL_MEM_FENCE);
  int y = shared[(l + 1) % 8];
  for (int iteration = 0; iteration < 2; ++iteration) {
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] += squares[iteration];
    barrier(CLK_LOCAL_MEM_FENCE);
    y += shared[7 - l];
  }
  int z = x + y;
  out[get_global_id(0)] = z;
}

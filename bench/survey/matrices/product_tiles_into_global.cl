// A product of matrices by tiles in local memory, added up in global memory.
// global: 256 256
// local: 16 16
// n: int 256
// a: float 65536 random
// b: float 65536 random
// c: float 65536 zero reset

kernel void product_tiles_into_global(int n, global const float* a, global const float* b, global float* c) {
  local float ta[16][16], tb[16][16];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  for (int t = 0; t < n; t += 16) {
    ta[ly][lx] = a[y * n + t + lx];
    tb[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
      c[y * n + x] += ta[ly][k] * tb[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

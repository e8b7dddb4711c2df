// A product over tiles in local memory.
// global: 256 256
// local: 16 16
// a: float 65536 random
// b: float 65536 random
// c: float 65536 zero
// size: int 256

kernel void product_tiles(global const float* a, global const float* b, global float* c, int size) {
  local float ta[16][16], tb[16][16];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float s = 0;
  for (int t = 0; t < size; t += 16) {
    ta[ly][lx] = a[y * size + t + lx];
    tb[ly][lx] = b[(t + ly) * size + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
      s += ta[ly][k] * tb[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * size + x] = s;
}

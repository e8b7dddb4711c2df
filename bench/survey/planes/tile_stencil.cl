// A stencil over a tile in local memory.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void tile_stencil(global const float* a, global float* b, int w, int h) {
  local float t[18][18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  t[ly + 1][lx + 1] = a[y * w + x];
  if (lx == 0) t[ly + 1][0] = x > 0 ? a[y * w + x - 1] : 0;
  if (lx == 15) t[ly + 1][17] = x < w - 1 ? a[y * w + x + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[y * w + x] = t[ly + 1][lx] + t[ly + 1][lx + 2];
}

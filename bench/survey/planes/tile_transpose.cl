// A transposition through a tile in local memory.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void tile_transpose(global const float* a, global float* b, int w, int h) {
  local float t[16][17];
  int lx = get_local_id(0), ly = get_local_id(1);
  t[ly][lx] = a[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = t[lx][ly];
}

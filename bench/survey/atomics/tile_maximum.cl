// The greatest number of each tile of 16 by 16, by an atomic maximum for each element.
// global: 1024 512
// local: 16 16
// w: int 1024
// a: uint 524288 random
// b: uint 2048 zero

kernel void tile_maximum(int w, global const uint* a, volatile global uint* b) {
  int x = get_global_id(0), y = get_global_id(1);
  atomic_max(b + (y / 16) * (w / 16) + x / 16, a[y * w + x]);
}

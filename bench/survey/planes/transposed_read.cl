// A transposition that reads columns.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 zero
// w: int 1024
// h: int 512

kernel void transposed_read(global const float* a, global float* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * w + x] = a[x * h + y];
}

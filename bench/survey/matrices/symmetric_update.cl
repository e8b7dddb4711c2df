// A symmetric update of which only the lower triangle is computed.
// global: 256 256
// local: 16 16
// a: float 65536 random
// b: float 65536 random
// c: float 65536 zero
// size: int 256

kernel void symmetric_update(global const float* a, global const float* b, global float* c, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x <= y) {
    float s = 0;
    for (int k = 0; k < size; k++)
      s += a[y * size + k] * a[x * size + k];
    c[y * size + x] = s + b[y * size + x];
  }
}

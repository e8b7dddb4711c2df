// A step of Gaussian elimination.
// global: 1024 512
// local: 16 16
// a: float 524288 random
// b: float 524288 random
// c: float 524288 zero
// size: int 1024

kernel void elimination_step(global const float* a, global const float* b, global float* c, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  int k = 3;
  if (x > k && y > k) c[y * size + x] = b[y * size + x] - a[y * size + k] / b[k * size + k] * b[k * size + x];
}

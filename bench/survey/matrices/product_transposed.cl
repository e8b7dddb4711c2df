// A product with a transposed second matrix.
// global: 256 256
// local: 16 16
// a: float 65536 random
// b: float 65536 random
// c: float 65536 zero
// size: int 256

kernel void product_transposed(global const float* a, global const float* b, global float* c, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < size; k++)
    s += a[y * size + k] * b[x * size + k];
  c[y * size + x] = s;
}

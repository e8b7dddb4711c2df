// A product whose first dimension is the row.
// global: 256 256
// local: 16 16
// a: float 65536 random
// b: float 65536 random
// c: float 65536 zero
// size: int 256

kernel void product_rows_first(global const float* a, global const float* b, global float* c, int size) {
  int y = get_global_id(0), x = get_global_id(1);
  float s = 0;
  for (int k = 0; k < size; k++)
    s += a[y * size + k] * b[k * size + x];
  c[y * size + x] = s;
}

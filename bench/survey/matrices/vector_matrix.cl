// A vector times a matrix, a column for each work-item.
// global: 1024
// local: 64
// a: float 524288 random
// b: float 1024 zero
// v: float 512 random
// size: int 1024

kernel void vector_matrix(global const float* a, global float* b, global const float* v, int size) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 512; k++)
    s += a[k * size + i] * v[k];
  b[i] = s;
}

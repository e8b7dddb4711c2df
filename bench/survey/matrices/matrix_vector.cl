// A matrix times a vector, a row for each work-item.
// global: 1024
// local: 64
// a: float 524288 random
// b: float 1024 zero
// v: float 512 random
// size: int 512

kernel void matrix_vector(global const float* a, global float* b, global const float* v, int size) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < size; k++)
    s += a[i * size + k] * v[k];
  b[i] = s;
}

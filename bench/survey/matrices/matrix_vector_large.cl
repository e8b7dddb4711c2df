// A matrix times a vector; the rows are far from each other.
// global: 4096
// local: 64
// a: float 8388608 random
// x: float 2048 random
// b: float 4096 zero
// rows: int 4096
// columns: int 2048

kernel void matrix_vector_large(global const float* a, global const float* x, global float* b, int rows,
                                int columns) {
  int i = get_global_id(0);
  if (i < rows) {
    float sum = 0;
    for (int k = 0; k < columns; k++)
      sum += a[i * columns + k] * x[k];
    b[i] = sum;
  }
}

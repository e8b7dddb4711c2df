// Sums of columns of a matrix that no near cache holds, times a vector.
// global: 2048
// local: 256
// a: float 8388608 random
// b: float 2048 zero
// rows: int 4096
// columns: int 2048

kernel void column_sums(global const float* a, global float* b, int rows, int columns) {
  int i = get_global_id(0);
  if (i < columns) {
    float sum = 0;
    for (int k = 0; k < rows; k++)
      sum += a[k * columns + i] * k;
    b[i] = sum;
  }
}

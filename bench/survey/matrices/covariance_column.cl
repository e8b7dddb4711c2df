// A mean and a deviation of each column.
// global: 1024
// local: 64
// a: float 524288 random
// b: float 1024 zero
// size: int 1024

kernel void covariance_column(global const float* a, global float* b, int size) {
  int i = get_global_id(0);
  float m = 0, s = 0;
  for (int k = 0; k < 512; k++)
    m += a[k * size + i];
  m /= 512;
  for (int k = 0; k < 512; k++)
    s += (a[k * size + i] - m) * (a[k * size + i] - m);
  b[i] = sqrt(s / 512);
}

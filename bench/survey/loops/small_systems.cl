// Systems of up to eight linear equations, one for each work-item, solved in a private matrix.
// global: 4096
// local: 64
// a: float 524288 random
// b: float 524288 zero
// n: int 8

kernel void small_systems(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  float m[8][8], x[8];
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++)
      m[r][c] = a[(r * n + c) * 4096 + i] + (r == c ? 8 : 0);
    x[r] = r;
  }
  for (int k = 0; k < n; k++)
    for (int r = k + 1; r < n; r++) {
      float f = m[r][k] / m[k][k];
      for (int c = k; c < n; c++)
        m[r][c] -= f * m[k][c];
      x[r] -= f * x[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int c = k + 1; c < n; c++)
      x[k] -= m[k][c] * x[c];
    x[k] /= m[k][k];
    b[k * 4096 + i] = x[k];
  }
}

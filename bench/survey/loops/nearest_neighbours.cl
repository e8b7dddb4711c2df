// The eight nearest of 64 points, in order, by insertion into a private array.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 524288 zero
// n: int 8

kernel void nearest_neighbours(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  float near[8];
  for (int k = 0; k < n; k++)
    near[k] = INFINITY;
  for (int j = 0; j < 64; j++) {
    float d = fabs(a[j] - a[i]);
    int k = n - 1;
    if (d >= near[k]) continue;
    while (k > 0 && near[k - 1] > d) {
      near[k] = near[k - 1];
      k--;
    }
    near[k] = d;
  }
  for (int k = 0; k < n; k++)
    b[i * 8 + k] = near[k];
}

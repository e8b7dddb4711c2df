// Four elements for each work-item, a quarter of the array apart.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void strided_per_item(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  int q = n / 4;
  if (i < q)
    for (int k = 0; k < 4; k++)
      b[i + k * q] = a[i + k * q] * 2;
}

// Sums of rows of different lengths.
// global: 2048
// local: 64
// a: float 524288 random
// b: float 2048 zero
// lengths: uchar 2048 random

kernel void unequal_rows(global const float* a, global float* b, global const uchar* lengths) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < lengths[i]; k++)
    s += a[i * 256 + k];
  b[i] = s;
}

// Sparse rows of different lengths times a vector.
// global: 32768
// local: 64
// a: float 524288 random
// b: float 32768 zero
// p: int 524288 permutation
// lengths: uchar 32768 random

kernel void sparse_rows(global const float* a, global float* b, global const int* p,
                        global const uchar* lengths) {
  int i = get_global_id(0);
  int begin = i * 16, end = begin + (lengths[i] & 15);
  float s = 0;
  for (int k = begin; k < end; k++)
    s += a[k] * a[p[k]];
  b[i] = s;
}

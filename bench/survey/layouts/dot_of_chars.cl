// Rows of 64 signed bytes times a vector.
// global: 8192
// local: 64
// a: char 524288 random
// b: int 8192 zero
// v: char 64 random

kernel void dot_of_chars(global const char* a, global int* b, global const char* v) {
  int i = get_global_id(0);
  int s = 0;
  for (int k = 0; k < 64; k++)
    s += a[i * 64 + k] * v[k];
  b[i] = s;
}

// Two pointers that walk rows of an array, until one is at its end.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 524288 zero

kernel void pointer_rows(global const float* a, global float* b) {
  global const float* p = a + get_global_id(0) * 64;
  global const float* end = p + 64;
  global float* q = b + get_global_id(0) * 64;
  while (p != end)
    *q++ = *p++ * 3;
}

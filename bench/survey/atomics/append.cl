// Elements above a threshold, appended in any order.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero unchecked
// c: int 1 zero reset

kernel void append(global const float* a, global float* b, volatile global int* c) {
  int i = get_global_id(0);
  float x = a[i];
  if (x > 0.5f) b[atomic_inc(c)] = x;
}

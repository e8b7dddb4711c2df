// Long work that few work-items have.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void rare_work(global const float* a, global float* b) {
  int i = get_global_id(0);
  float x = a[i];
  if ((i & 1023) == 5)
    for (int k = 0; k < 20; k++)
      x = sin(x) + exp(-x) / (2 + cos(x));
  b[i] = x;
}

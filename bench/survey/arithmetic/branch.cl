// Two ways by the data.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void branch(global const float* a, global float* b) {
  int i = get_global_id(0);
  float x = a[i];
  if (x > 0.5f)
    b[i] = x * x;
  else
    b[i] = -x;
}

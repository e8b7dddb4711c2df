// A number of thresholds.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void thresholds(global const float* a, global float* b) {
  int i = get_global_id(0);
  float x = a[i];
  int s = 0;
  if (x > 0.1f) s++;
  if (x > 0.3f) s++;
  if (x > 0.7f) s += 2;
  b[i] = s;
}

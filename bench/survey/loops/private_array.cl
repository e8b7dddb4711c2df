// A private array that is read backwards.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero
// n: int 524288

kernel void private_array(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  float t[8];
  for (int k = 0; k < 8; k++)
    t[k] = a[(i + k) & (n - 1)];
  float s = 0;
  for (int k = 0; k < 8; k++)
    s += t[7 - k] * k;
  b[i] = s;
}

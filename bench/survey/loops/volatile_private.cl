// A volatile private variable.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void volatile_private(global const float* a, global float* b) {
  int i = get_global_id(0);
  volatile float s = 0;
  for (int k = 0; k < 8; k++)
    s += a[(i + k) & 524287];
  b[i] = s;
}

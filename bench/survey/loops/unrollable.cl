// A short inner loop with a private vector.
// global: 65536
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void unrollable(global const float* a, global float* b) {
  int i = get_global_id(0);
  float s[4] = {0, 0, 0, 0};
  for (int k = 0; k < 32; k++)
    for (int j = 0; j < 4; j++)
      s[j] += a[(i * 4 + j + k * 7) & 524287];
  b[i] = s[0] * s[1] + s[2] * s[3];
}

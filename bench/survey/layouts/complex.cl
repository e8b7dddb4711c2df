// Squares of interleaved complex numbers.
// global: 262144
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void complex(global const float* a, global float* b) {
  int i = get_global_id(0);
  float r = a[2 * i], m = a[2 * i + 1];
  b[2 * i] = r * r - m * m;
  b[2 * i + 1] = 2 * r * m;
}

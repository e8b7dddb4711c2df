// Sums of four oscillators after a long time, whose phases are large.
// global: 65536
// local: 256
// a: float 524288 random
// b: float 524288 zero
// t: int 1000000

kernel void oscillators(global const float* a, global float* b, int t) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 4; k++)
    s += sin(a[4 * i + k] * 20000 * t);
  b[i] = s;
}

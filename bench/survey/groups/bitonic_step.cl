// A step of a bitonic sort in global memory.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void bitonic_step(global const float* a, global float* b) {
  int i = get_global_id(0);
  int j = i ^ 64;
  if (j > i) {
    float x = a[i], y = a[j];
    bool up = (i & 128) == 0;
    if ((x > y) == up) {
      b[i] = y;
      b[j] = x;
    } else {
      b[i] = x;
      b[j] = y;
    }
  }
}

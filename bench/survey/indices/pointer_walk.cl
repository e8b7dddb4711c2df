// A pointer that the loop moves on by a row.
// global: 8192
// local: 256
// a: float 524288 random
// b: float 524288 zero
// w: int 8192

kernel void pointer_walk(global const float* a, global float* b, int w) {
  global const float* p = a + get_global_id(0);
  float s = 0;
  for (int k = 0; k < 64; k++, p += w)
    s += *p;
  b[get_global_id(0)] = s;
}

// Groups of one work-item.
// global: 8192
// local: 1
// a: float 524288 random
// b: float 8192 zero

kernel void groups_of_one(global const float* a, global float* b) {
  int i = get_group_id(0);
  float s = 0;
  for (int k = 0; k < 64; k++)
    s += a[i * 64 + k] * k;
  b[i] = s;
}

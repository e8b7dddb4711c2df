// Values that live across barriers.
// global: 131072
// local: 128
// a: float 524288 random
// b: float 524288 zero

kernel void values_across(global const float* a, global float* b) {
  local float t[128];
  int l = get_local_id(0);
  float x = a[get_global_id(0)], y = x * 3 + l, s = 0;
  for (int k = 0; k < 16; k++) {
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    s += t[(l + k) & 127] * y;
    x = x * 0.5f + t[127 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = s + x;
}

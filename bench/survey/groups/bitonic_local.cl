// A bitonic sort of a group's 256 numbers.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void bitonic_local(global const float* a, global float* b) {
  local float t[256];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int o = l ^ j;
      float x = t[l], y = t[o];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = ((l & k) == 0) == (l < o) ? fmin(x, y) : fmax(x, y);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  b[get_global_id(0)] = t[l];
}

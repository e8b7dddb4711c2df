// Hillis and Steele's scan.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void doubling_scan(global const float* a, global float* b) {
  local float t[2][256];
  int l = get_local_id(0), w = 0;
  t[0][l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 256; s *= 2) {
    t[1 - w][l] = l >= s ? t[w][l] + t[w][l - s] : t[w][l];
    w = 1 - w;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = t[w][l];
}

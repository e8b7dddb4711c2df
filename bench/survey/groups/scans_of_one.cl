// Groups of one work-item that scan 64 numbers, as a group of any size does.
// global: 8192
// local: 1
// a: float 524288 random
// b: float 524288 zero

kernel void scans_of_one(global const float* a, global float* b) {
  int g = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
  float before = 0;
  for (int k = l; k < 64; k += n) {
    float x = a[g * 64 + k];
    b[g * 64 + k] = before + work_group_scan_inclusive_add(x);
    before += work_group_reduce_add(x);
  }
}

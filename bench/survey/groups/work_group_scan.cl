// work_group_scan_inclusive_add.
// global: 524288
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void work_group_scan(global const float* a, global float* b) {
  b[get_global_id(0)] = work_group_scan_inclusive_add(a[get_global_id(0)]);
}

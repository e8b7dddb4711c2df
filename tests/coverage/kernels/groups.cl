// Launched with 64 work-items in groups of 32.
kernel void sums(global int* a) {
  int g = get_global_id(0); // 64
  int all = work_group_reduce_add(a[g]); // 64
  if (work_group_any(g == 40)) // 64
    a[g] = all; // 32
  if (sub_group_any(g >= 0)) // 64
    a[g] += sub_group_reduce_add(1); // 64
}

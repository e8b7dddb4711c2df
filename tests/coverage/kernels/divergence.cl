// Launched with 36 work-items in groups of 18. With 8 work-items in a vector, a group has vectors of 8, 8 and 2.
kernel void divergence(global int* a) {
  int l = get_local_id(0), sum; // 36: 6 of 8
  if (l == 3) // 36: 6 of 8
    sum = 1; // 2: 1 of 8
  else
    sum = 2; // 34: 5.7 of 8
  for (int j = 0; j < l; ++j)
    sum += a[j]; // 306: 3.9 of 8
  for (int j = 0; j < 5; ++j)
    sum ^= j; // 180: 6 of 8
  if (l > 15) // 36: 6 of 8
    return; // 4: 2 of 8
  if (get_group_id(0) == 1) // 32: 8 of 8
    sum += l & 1 ? 5 : 3; // 16: 8 of 8
  if (l > 20) // 32: 8 of 8
    sum = 0; // 0
  a[100 + get_global_id(0)] = sum; // 32: 8 of 8
}

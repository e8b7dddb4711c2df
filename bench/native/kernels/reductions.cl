// Work-groups that reduce, scan and count in local memory.

kernel void dot_groups(global const float* a, global const float* b, global float* sums, local float* part,
                       int n) {
  int local_id = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += a[i] * b[i];
  part[local_id] = sum;
  for (int offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id < offset) part[local_id] += part[local_id + offset];
  }
  if (local_id == 0) sums[get_group_id(0)] = part[0];
}

kernel void maximum_groups(global const int* values, global int* largest, local int* part, int n) {
  int i = get_global_id(0), local_id = get_local_id(0);
  part[local_id] = i < n ? values[i] : INT_MIN;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < get_local_size(0); offset *= 2) {
    if (local_id % (2 * offset) == 0) part[local_id] = max(part[local_id], part[local_id + offset]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (local_id == 0) atomic_max(largest, part[0]);
}

// Inclusive sums of a group's values; the group's total as well.
kernel void scan_groups(global const int* in, global int* out, global int* totals, local int* part) {
  int i = get_global_id(0), local_id = get_local_id(0), size = get_local_size(0);
  int sum = in[i];
  part[local_id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < size; offset *= 2) {
    int left = local_id >= offset ? part[local_id - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[local_id] = sum += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
  if (totals && local_id == size - 1) totals[get_group_id(0)] = sum;
}

kernel void add_totals(global int* out, global const int* totals) {
  int group = get_group_id(0);
  if (group > 0) out[get_global_id(0)] += totals[group - 1];
}

kernel void histogram_groups(global const uchar* data, global int* bins, int n) {
  local int counts[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0))
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0))
    atomic_add(&bins[i], counts[i]);
}

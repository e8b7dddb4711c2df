kernel void reduce(global const float* in, global float* sums, local float* scratch) {
  const uint lid = get_local_id(0);
  scratch[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (lid < stride)
      scratch[lid] += scratch[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    sums[get_group_id(0)] = scratch[0];
}

// Inclusive scan of each group's elements (Hillis and Steele).
kernel void scan(global const uint* in, global uint* out, local uint* scratch) {
  const uint lid = get_local_id(0), size = get_local_size(0);
  scratch[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < size; distance *= 2) {
    const uint other = lid >= distance ? scratch[lid - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[lid] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = scratch[lid];
}

// One step of a bitonic sort: compares and swaps elements that are `distance` apart, in runs of `run`.
kernel void bitonic_step(global uint* keys, uint run, uint distance) {
  const uint i = get_global_id(0);
  const uint left = 2 * i - (i & (distance - 1)), right = left + distance;
  const bool ascending = (left & run) == 0;
  const uint a = keys[left], b = keys[right];
  if ((a > b) == ascending) {
    keys[left] = b;
    keys[right] = a;
  }
}

// Sparse matrix (compressed rows) times vector, a row per work-item.
kernel void spmv(global const uint* row_begin, global const uint* columns, global const float* values,
                 global const float* x, global float* y) {
  const uint row = get_global_id(0);
  float sum = 0.0f;
  for (uint i = row_begin[row]; i < row_begin[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

// Each work-item strides through the bytes, so that any number of work-items covers any number of bytes.

kernel void histogram_global(global const uchar* bytes, ulong size, global uint* bins) {
  for (ulong i = get_global_id(0); i < size; i += get_global_size(0))
    atomic_inc(&bins[bytes[i]]);
}

// Every work-group counts in local memory first and then adds what it found to the total.
kernel void histogram_local(global const uchar* bytes, ulong size, global uint* bins) {
  local uint own[256];
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0))
    own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (ulong i = get_global_id(0); i < size; i += get_global_size(0))
    atomic_inc(&own[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0))
    if (own[bin] != 0)
      atomic_add(&bins[bin], own[bin]);
}

// Appends the position of each occurrence, in no particular order. `count` goes on counting beyond `capacity`, so that
// the caller learns how much room is needed.
kernel void find_all(global const uchar* bytes, ulong size, constant uchar* pattern, uint length, global uint* count,
                     global ulong* positions, uint capacity) {
  for (ulong i = get_global_id(0); i + length <= size; i += get_global_size(0)) {
    uint matching = 0;
    while (matching < length && bytes[i + matching] == pattern[matching])
      ++matching;
    if (matching == length) {
      const uint slot = atomic_inc(count);
      if (slot < capacity)
        positions[slot] = i;
    }
  }
}

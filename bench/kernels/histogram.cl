kernel void histogram_global(global const uchar* bytes, global uint* bins) {
  atomic_inc(&bins[bytes[get_global_id(0)]]);
}

kernel void histogram_local(global const uchar* bytes, uint count, global uint* bins) {
  local uint own[256];
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0))
    own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&own[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0))
    atomic_add(&bins[bin], own[bin]);
}

#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable

kernel void append(global const uint* values, counter32_t count, global uint* found) {
  const uint value = values[get_global_id(0)];
  if (value & 1)
    found[atomic_inc(count)] = value;
}

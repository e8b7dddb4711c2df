// Atomic operations of many work-items on few addresses.

kernel void add_to_one(global const uint* values, global uint* sum) {
  atomic_add(sum, values[get_global_id(0)]);
}

// The 16 counters fill one cache line.
kernel void count_line(global const uchar* values, global uint* counters) {
  atomic_inc(&counters[values[get_global_id(0)] & 15]);
}

kernel void count_bytes(global const uchar* values, global uint* bins) {
  atomic_inc(&bins[values[get_global_id(0)]]);
}

// Appends the odd values.
kernel void append(global const uint* values, global uint* count, global uint* found) {
  uint value = values[get_global_id(0)];
  if (value & 1) found[atomic_inc(count)] = value;
}

// Adds by compare-exchange, for devices without atomics of floats.
kernel void float_add(global const uint* cells, volatile global float* sums) {
  volatile global uint* cell = (volatile global uint*)&sums[cells[get_global_id(0)]];
  uint seen = *cell, expected;
  do {
    expected = seen;
    seen = atomic_cmpxchg(cell, expected, as_uint(as_float(expected) + 1));
  } while (seen != expected);
}

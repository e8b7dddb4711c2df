kernel void add_to_one(global uint* sum) { atomic_add(sum, 1u); }

// Items whose value has its lowest bit set append it.
kernel void append(global const uint* values, global uint* count, global uint* found) {
  const uint value = values[get_global_id(0)];
  if (value & 1)
    found[atomic_inc(count)] = value;
}

kernel void float_add(global const uint* cells, volatile global float* sums) {
  volatile global uint* const cell = (volatile global uint*)&sums[cells[get_global_id(0)]];
  uint seen = *cell, expected;
  do {
    expected = seen;
    seen = atomic_cmpxchg(cell, expected, as_uint(as_float(expected) + 1.0f));
  } while (seen != expected);
}

// Sums of floats in 64 cells of local memory by loops around compare-exchange, then in global memory.
// global: 131072
// local: 256
// a: float 524288 random
// b: uint 64 zero unchecked reset

void add(volatile local uint* cell, float x) {
  uint old, new;
  do {
    old = *cell;
    new = as_uint(as_float(old) + x);
  } while (atomic_cmpxchg(cell, old, new) != old);
}

kernel void local_float_sums(global const float* a, volatile global uint* b) {
  local uint cells[64];
  int l = get_local_id(0), i = get_global_id(0);
  if (l < 64) cells[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  add(cells + ((int)(a[i] * 64) & 63), a[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) {
    uint old, new;
    do {
      old = b[l];
      new = as_uint(as_float(old) + as_float(cells[l]));
    } while (atomic_cmpxchg(b + l, old, new) != old);
  }
}

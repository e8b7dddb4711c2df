// Saturated sums of shorts.
// global: 524288
// local: 256
// a: short 524288 random
// b: short 524288 zero

kernel void shorts(global const short* a, global short* b) {
  int i = get_global_id(0);
  b[i] = add_sat(a[i], (short)100);
}

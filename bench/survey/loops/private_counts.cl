// Counts in a private array, by the data.
// global: 16384
// local: 64
// a: uint 524288 random
// b: uint 524288 zero

kernel void private_counts(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  uint t[16];
  for (int k = 0; k < 16; k++)
    t[k] = 0;
  for (int k = 0; k < 32; k++)
    t[a[i * 32 + k] & 15]++;
  uint s = 0;
  for (int k = 0; k < 16; k++)
    s = s * 3 + t[k];
  b[i] = s;
}

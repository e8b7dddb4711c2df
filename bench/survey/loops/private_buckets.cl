// A radix pass of sixteen numbers in private arrays.
// global: 16384
// local: 64
// a: uint 524288 random
// b: uint 524288 zero

kernel void private_buckets(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  uint v[16], n[5];
  for (int k = 0; k < 5; k++)
    n[k] = 0;
  for (int k = 0; k < 16; k++) {
    v[k] = a[i * 16 + k];
    n[(v[k] & 3) + 1]++;
  }
  for (int k = 1; k < 5; k++)
    n[k] += n[k - 1];
  uint o[16];
  for (int k = 0; k < 16; k++)
    o[n[v[k] & 3]++] = v[k];
  for (int k = 0; k < 16; k++)
    b[i * 16 + k] = o[k];
}

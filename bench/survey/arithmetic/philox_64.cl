// Rounds of mul_hi on 64 bits.
// global: 131072
// local: 256
// a: uint 524288 random
// b: uint 524288 zero

kernel void philox_64(global const uint* a, global uint* b) {
  ulong i = get_global_id(0);
  ulong x = i, y = ~i, key = a[i];
  for (int k = 0; k < 7; k++) {
    ulong h = mul_hi(x, 0xD2E7470EE14C6C93ul), l = x * 0xD2E7470EE14C6C93ul;
    x = h ^ y ^ key;
    y = l;
    key += 0x9E3779B97F4A7C15ul;
  }
  b[i] = (uint)(x >> 32);
}

// Modular products through mul_hi of 64 bits.
// global: 524288
// local: 256
// a: uint 524288 random
// b: uint 524288 zero

kernel void modular_64(global const uint* a, global uint* b) {
  int i = get_global_id(0);
  ulong x = a[i];
  for (int k = 0; k < 8; k++) {
    ulong q = mul_hi(x, 0x9E3779B97F4A7C15ul);
    x = x * 0xD6E8FEB86659FD93ul - q * 0xFFFFFFFBul;
  }
  b[i] = (uint)(x >> 32);
}

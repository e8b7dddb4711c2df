// Montgomery's products of 64 bits.
// global: 65536
// local: 256
// a: ulong 65536 random
// b: ulong 65536 random
// c: ulong 65536 zero

kernel void montgomery(global const ulong* a, global const ulong* b, global ulong* c) {
  int i = get_global_id(0);
  ulong x = a[i], y = b[i], n = 0xFFFFFFFF00000001ul;
  for (int k = 0; k < 8; k++) {
    ulong low = x * y, high = mul_hi(x, y), m = low * 0xFFFFFFFEFFFFFFFFul, t = high - mul_hi(m, n);
    y = high < mul_hi(m, n) ? t + n : t;
  }
  c[i] = y;
}

// Rounds of mul_hi on 32 bits.
// global: 524288
// local: 256
// b: float 524288 zero

kernel void philox(global float* b) {
  int i = get_global_id(0);
  uint x = i, y = ~i;
  for (int k = 0; k < 7; k++) {
    uint h = mul_hi(x, 0xD2511F53u), l = x * 0xD2511F53u;
    x = h ^ y ^ k;
    y = l;
  }
  b[i] = x * 2.3e-10f;
}

// Eight steps of xorshift.
// global: 524288
// local: 256
// b: float 524288 zero

kernel void xorshift(global float* b) {
  int i = get_global_id(0);
  uint s = i * 2654435761u + 1;
  for (int k = 0; k < 8; k++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
  }
  b[i] = s * 2.3e-10f;
}

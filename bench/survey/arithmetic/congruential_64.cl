// A linear congruential generator of 64 bits.
// global: 524288
// local: 256
// b: float 524288 zero

kernel void congruential_64(global float* b) {
  int i = get_global_id(0);
  ulong s = i;
  for (int k = 0; k < 8; k++)
    s = s * 6364136223846793005ul + 1442695040888963407ul;
  b[i] = (uint)(s >> 32) * 2.3e-10f;
}

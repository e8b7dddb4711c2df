// Sixteen rounds as in SHA-2.
// global: 524288
// local: 256
// b: uint 524288 zero

kernel void rotations(global uint* b) {
  uint i = get_global_id(0);
  uint u = i, g = ~i;
  for (int k = 0; k < 16; k++) {
    uint s = rotate(u, 26u) ^ rotate(u, 21u) ^ rotate(u, 7u);
    g += s + ((u & g) ^ (~u & k));
    u = g + rotate(u, 30u);
  }
  b[i] = u;
}

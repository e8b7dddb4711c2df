// Collatz' sequence.
// global: 65536
// local: 256
// b: uint 524288 zero

kernel void collatz(global uint* b) {
  uint i = get_global_id(0);
  uint x = i + 1, k = 0;
  while (x != 1 && k < 100) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    k++;
  }
  b[i] = k;
}

// Hashes of strings of different length.
// global: 16384
// local: 64
// a: uchar 1572864 random
// b: uint 524288 zero

kernel void bytes_walk(global const uchar* a, global uint* b) {
  int i = get_global_id(0);
  global const uchar* p = a + i * 64;
  uint h = 2166136261u;
  while (*p > 8)
    h = (h ^ *p++) * 16777619u;
  b[i] = h;
}

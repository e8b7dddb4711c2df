// The edit distance of sixteen characters, a row in a private array.
// global: 16384
// local: 64
// a: uchar 1572864 random
// b: uchar 524288 zero

kernel void edit_distance(global const uchar* a, global uchar* b) {
  int i = get_global_id(0);
  uchar r[17];
  for (int k = 0; k < 17; k++)
    r[k] = k;
  for (int j = 0; j < 16; j++) {
    uchar d = r[0];
    r[0] = j + 1;
    uchar c = a[i * 16 + j] & 3;
    for (int k = 1; k < 17; k++) {
      uchar u = r[k];
      r[k] = min(min((uchar)(u + 1), (uchar)(r[k - 1] + 1)), (uchar)(d + (c != (a[k] & 3))));
      d = u;
    }
  }
  b[i] = r[16];
}

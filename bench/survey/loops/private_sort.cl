// An insertion sort of sixteen numbers.
// global: 8192
// local: 64
// a: float 524288 random
// b: float 524288 zero

kernel void private_sort(global const float* a, global float* b) {
  int i = get_global_id(0);
  float t[16];
  for (int k = 0; k < 16; k++) {
    float x = a[i * 16 + k];
    int j = k;
    while (j > 0 && t[j - 1] > x) {
      t[j] = t[j - 1];
      j--;
    }
    t[j] = x;
  }
  for (int k = 0; k < 16; k++)
    b[i * 16 + k] = t[k];
}

// Launched with 96 work-items, and with 8 x 6.
kernel void loops(global int* a) {
  int i = get_global_id(0), sum = 0; // 96
  for (int j = 0; j < i; ++j) {
    if (j > 10 && (i & 1)) // 2796
      break; // 42
    sum += a[j] * j; // 2754
  }
  int rest = i; // 96
  while (rest > 64) {
    rest -= 16; // 46
  }
  do {
    ++rest; // 96
  } while (rest < 0);
  for (int j = 0; j < 10; ++j)
    sum += j; // 960
  a[i] = sum + rest; // 96
}

kernel void rows(global int* a) {
  int x = get_global_id(0), y = get_global_id(1); // 48
  for (int j = 0; j < y; ++j) {
    a[x + 8 * y] += j; // 120
    if (x == 7) // 120
      continue; // 15
    a[x + 8 * y] += x; // 105
  }
}

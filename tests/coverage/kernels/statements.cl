// Launched with 64 work-items: statements without braces, and conditions that are constant.
#define RADIUS 3
#define CLAMP(x) \
  do { \
    if ((x) < 5) \
      s += 1; \
    else \
      s += 2; \
  } while (0)

kernel void chains(global int* a) {
  int i = get_global_id(0), s; // 64
  if (i < 16) // 64
    s = 1; // 16
  else if (i < 32) // 48
    s = 2; // 16
  else if (i < 60) // 32
    s = 3; // 28
  else
    s = 4; // 4
  int t = i < 16 ? 1 : i < 32 ? 2 : 3; // 64
  a[i] = s + t; // 64
}

kernel void nested(global int* a) {
  int i = get_global_id(0), s = 0; // 64
  if (i < 48) // 64
    if (i < 32) // 48
      if (i < 16) // 32
        s += 3; // 16
  for (int j = 0; j < 3; ++j)
    if (i < 8) // 192
      s += j; // 24
    else
      s -= j; // 168
  if (i < 8) // 64
    for (int j = 0; j < 3; ++j)
      s += 1; // 24
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < i; ++k)
      s += k; // 6048
  if (i < 8) // 64
    do
      s += i; // 8
    while (s < 0); // 8
  else
    switch (i) { // 56
    case 9: s += 1; // 1
    }
  a[i] = s; // 64
}

kernel void constants(global int* a) {
  int i = get_global_id(0), s = 0; // 64
  if (RADIUS > 2) // 64
    s = 1; // 64
  if (RADIUS > 3) // 64
    s = 2; // 0
  if (sizeof(int) == 4) // 64
    s += i; // 64
  else
    s += 3; // 0
  while (1) {
    if (s > 70) // 443
      break; // 64
    s += RADIUS > 2 ? 7 : 1; // 379
  }
  CLAMP(i); // 64
  a[i] = s; // 64
}

kernel void both(global int* a) {
  int i = get_global_id(0), n = 0; // 64
  while (n < i % 8 && n < 6)
    ++n; // 216
  for (int j = 0; j < 4 && i < 20; ++j)
    n += j; // 80
  do
    ++n; // 65
  while (n < 8 && i == 63);
  a[i] = n; // 64
}

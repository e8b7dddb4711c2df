// What lines.spvasm says that it was compiled from. Launched with 64 work-items, and a[i] is i.
kernel void lines(global int* a) { // 64
  int i = get_global_id(0); int x = a[i]; // 64
  if (x < 10) return; // 64
  for (int k = 0; k < x % 3; ++k) x += k; // 108
  for (int k = 0; k < 4; ++k) { // 270
    a[i] += k; // 216
  }
  int y = i > 40 ? x : // 85
                   7; // 31
  if (i & 1) // 54
    y += 3; // 54
  switch (i % 4) { // 54
  default: y *= get_local_id(0); // 28
  case 1: case 0: y -= i; // 54
  }
  call( // 54
    twice(y), // 54
    twice(x)); // 54
}

int twice(int x) { // 108
  return x + x; // 108
}

int never(int x) { // 0
  return x; // 0
}

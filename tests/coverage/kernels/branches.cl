// Launched with 100 work-items.
int classify(int x) { // 90
  if (x > 49) // 90
    return 1; // 45
  return x ? 2 : 3; // 45
}

kernel void branches(global int* a) {
  int i = get_global_id(0); // 100
  if (i % 10 == 3) // 100
    return; // 10
  if (i == 77) // 90
    a[i] = 1; // 1
  switch (i % 4) { // 90
  case 0: // 25
    a[i] += 2; // 25
    break; // 25
  case 1: // 20
  case 2: // 45
    a[i] += 3; // 45
  default: // 65
    a[i] += 4; // 65
  }
  a[i] += classify(i); // 90
  if (i < 0) // 90
    a[i] = 0; // 0
}

kernel void unused(global int* a) {
  a[0] = 1; // 0
}

// Launched with 16 work-items.
kernel void decisions(global int* a) {
  int i = get_global_id(0); // 16
  if (i > 3 && i < 8) // 16
    a[i] = 1; // 4
  if (i >= 0 || a[i] == 5) // 16
    a[i] += 1; // 16
}

kernel void unused(global int* a) {
  a[0] = 1; // 0
}

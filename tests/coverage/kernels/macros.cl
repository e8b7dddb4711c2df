// Launched with 10 work-items and -DLIMIT=5.
#define ABOVE(x) ((x) > LIMIT ? 1 : 0)
kernel void macros(global int* a) {
  int i = get_global_id(0); // 10
#if LIMIT > 5
  i += 1;
#endif
  if (ABOVE(i)) // 10
    a[i] = 1; // 4
}

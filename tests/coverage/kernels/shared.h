// Used by two programs, with 10 work-items each.
static inline int shared(int x) {
  if (x > 7)  // 20
    return 1; // 4
  return 0;   // 16
}

// The tier 0 code of a huge kernel is not optimised; its tier 1 code, and that of others, have all of them.
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --tier0 --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=BARE
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --local=64 --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=FULL
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --tier0 --print=list --kernel=small %s 2>/dev/null | FileCheck %s --check-prefix=FULL
// RUN: hostclc --tier0 --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=FULL

// BARE: {{[0-9]}} inline
// BARE-NOT: {{[0-9]}} simplify
// BARE-NOT: {{[0-9]}} vectorise
// FULL: {{[0-9]}} inline
// FULL: {{[0-9]}} simplify
// FULL: {{[0-9]}} vectorise

kernel void large(global uint* a) {
  uint x = a[get_global_id(0)];
  x = (x ^ 1) * 5 + (x >> 3);
  x = (x ^ 2) * 5 + (x >> 3);
  x = (x ^ 3) * 5 + (x >> 3);
  x = (x ^ 4) * 5 + (x >> 3);
  x = (x ^ 5) * 5 + (x >> 3);
  a[get_global_id(0)] = x;
}

kernel void small(global uint* a) {
  a[get_global_id(0)] += 1;
}

// The first code of a huge kernel has the form without optimisations; its best code, and that of others, have all of them.
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --universal --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=BARE
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --local=64 --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=FULL
// RUN: HOSTCL_TEST_STEPS=huge:20 hostclc --universal --print=list --kernel=small %s 2>/dev/null | FileCheck %s --check-prefix=FULL
// RUN: hostclc --universal --print=list --kernel=large %s 2>/dev/null | FileCheck %s --check-prefix=FULL

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

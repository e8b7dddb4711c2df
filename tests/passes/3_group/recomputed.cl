// An index that a branch has computed is computed once more behind it. A phi would make it differ between work-items.
// RUN: hostclc --print=lower-traps --kernel=same_for_all %s | FileCheck %s --check-prefix=SAME
// RUN: hostclc --print=lower-traps --kernel=in_a_row %s | FileCheck %s --check-prefix=ROW

// SAME: define {{.*}}@same_for_all(
// SAME-NOT: phi i64
// SAME: ret void
kernel void same_for_all(global float* a, global float* b) {
  int x = get_local_id(0), y = get_local_id(1);
  if (x == 0) b[y] = 1;
  a[x] *= b[y];
}

// ROW: define {{.*}}@in_a_row(
// ROW-NOT: phi i64
// ROW: ret void
kernel void in_a_row(global const uchar* a, global uchar* b) {
  int i = get_global_id(0);
  b[i] = i == 0 || a[i] != a[i - 1];
}

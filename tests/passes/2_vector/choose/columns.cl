// Lanes lie along y where that runs along memory: rows are loaded and stored, nothing is gathered.
// RUN: hostclc --local=8,8 --global=64,64 --print=vectorise --cpu=znver4 --kernel=by_columns %s | \
// RUN: FileCheck %s --check-prefix=COLUMNS
// RUN: hostclc --local=8,8 --global=64,64 --print=vectorise --cpu=znver4 --kernel=by_columns --without=columns %s | \
// RUN: FileCheck %s --check-prefix=WITHOUT
// RUN: hostclc --local=8,8 --global=64,64 --print=vectorise --cpu=znver4 --kernel=by_rows %s | \
// RUN: FileCheck %s --check-prefix=ROWS
// RUN: hostclc --local=8,8 --global=64,64 --print=vectorise --cpu=znver4 --kernel=one_column %s | \
// RUN: FileCheck %s --check-prefix=ONE

// COLUMNS: define {{.*}}@by_columns(
// COLUMNS-NOT: gather
// COLUMNS-NOT: scatter
// COLUMNS: "hostcl.vector_dimension"="1"
// WITHOUT: define {{.*}}@by_columns(
// WITHOUT-NOT: "hostcl.vector_dimension"="1"
kernel void by_columns(global float* c, global const float* a, global const float* b, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  c[row * n + column] = a[row * n + column] + b[row * n + column];
}

// ROWS: define {{.*}}@by_rows(
// ROWS-NOT: "hostcl.vector_dimension"="1"
kernel void by_rows(global float* c, global const float* a, global const float* b, int n) {
  int row = get_global_id(1), column = get_global_id(0);
  c[row * n + column] = a[row * n + column] + b[row * n + column];
}

// Work-items that differ in x alone have no rows: along y all would do the same.
// ONE: define {{.*}}@one_column(
// ONE-NOT: "hostcl.vector_dimension"="1"
kernel void one_column(global float* c, global const float* a, int n) {
  int row = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i];
  c[row] = sum;
}

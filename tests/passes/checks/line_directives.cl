// RUN: hostclc %s --checks=bounds --print=check-bounds 2>&1 | FileCheck %s
// The line that a finding shows is that of the file which `#line` or a line marker names, wherever it stands in the text;
// where that is not known, because macros make the directive, there is none.

// CHECK-DAG: c"out[i + 1] = 1;\00"
// CHECK-DAG: c"out[i + 2] = 2;\00"
// CHECK-DAG: c"out[i + 3] = 3;\00"
// CHECK-NOT: c"// wrong
// CHECK-NOT: c"out[i + 4] = 4;\00"

kernel void k(global int* out, int i) {
  out[i + 1] = 1;
#line 2 "/folder/generated.cl"
  // wrong 2
  // wrong 3
  out[i + 2] = 2;
# 10 "other.cl"
  out[i + 3] = 3;
#define PLACE "third.cl"
#line 10 PLACE
  out[i + 4] = 4;
}

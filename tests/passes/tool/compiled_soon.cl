// Code that a first launch waits for goes without what takes long: it is there once, and for all rows.
// RUN: hostclc --universal --print=list %s 2>/dev/null | FileCheck %s --check-prefix=SOON
// RUN: hostclc --print=list --local=64 %s 2>/dev/null | FileCheck %s --check-prefix=BEST

// SOON: vectorise
// SOON-NOT: {{loop-form|unroll-and-jam}}
// SOON: plain-addresses

// BEST: loop-form
// BEST: unroll-and-jam

kernel void doubled(global float* a) { a[get_global_id(0)] *= 2; }

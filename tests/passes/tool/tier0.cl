// Code that a first launch waits for goes without what takes long: it is there once, and for all rows.
// RUN: hostclc --tier0 --print=list %s 2>/dev/null | FileCheck %s --check-prefix=TIER0
// RUN: hostclc --print=list --local=64 %s 2>/dev/null | FileCheck %s --check-prefix=TIER1

// TIER0: vectorise
// TIER0-NOT: {{loop-form|unroll-and-jam}}
// TIER0: plain-addresses

// TIER1: loop-form
// TIER1: unroll-and-jam

kernel void doubled(global float* a) { a[get_global_id(0)] *= 2; }

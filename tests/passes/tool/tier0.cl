// Code that a first launch waits for goes without what takes long: it is there once, and for all rows.
// RUN: hostclc --tier0 --print=list %s 2>/dev/null | FileCheck %s --check-prefix=TIER0
// RUN: hostclc --print=list --local=64 %s 2>/dev/null | FileCheck %s --check-prefix=TIER1
// Names that options and their values had before.
// RUN: hostclc --assembly --tier0 %s > %t.tier0 2>&1 && hostclc --assembly --universal %s > %t.universal 2>&1 && cmp %t.tier0 %t.universal
// RUN: hostclc --assembly --fallback-level=scalar %s > %t.level 2>&1 && hostclc --assembly --form=scalar %s > %t.form 2>&1 && cmp %t.level %t.form
// RUN: hostclc --assembly --disjoint %s > %t.disjoint 2>&1 && hostclc --assembly --apart %s > %t.apart 2>&1 && cmp %t.disjoint %t.apart
// RUN: hostclc --assembly --without=cache_tiling %s > %t.tiling 2>&1 && hostclc --assembly --without=cache_blocks %s > %t.blocks 2>&1 && cmp %t.tiling %t.blocks

// TIER0: vectorise
// TIER0-NOT: {{loop-form|unroll-and-jam}}
// TIER0: plain-addresses

// TIER1: loop-form
// TIER1: unroll-and-jam

kernel void doubled(global float* a) { a[get_global_id(0)] *= 2; }

// The code generator leaves out slow passes for tier 0 code, and analyses that no other pass needs.
// RUN: hostclc --tier0 --time-passes %s 2>&1 | FileCheck %s --check-prefix=TIER0 \
// RUN:   --implicit-check-not="Loop Strength Reduction" --implicit-check-not="Induction Variable Users" \
// RUN:   --implicit-check-not="Post RA top-down list latency scheduler"
// RUN: hostclc --time-passes %s 2>&1 | FileCheck %s --check-prefix=TIER1
// TIER0: Instruction Selection
// TIER1-DAG: Loop Strength Reduction
// TIER1-DAG: Induction Variable Users
// TIER1-DAG: Post RA top-down list latency scheduler

kernel void add(global const float* a, global float* out) {
  out[get_global_id(0)] += a[get_global_id(0)];
}

// Steps have numbers, and those that only make code faster are left out after one.
// RUN: hostclc --stop-after=help | FileCheck %s --check-prefix=HELP
// RUN: hostclc --print=list --local=64 %s 2>/dev/null | FileCheck %s --check-prefixes=ALL,PASSES
// RUN: hostclc --print=list --local=64 --stop-after=vectorise %s 2>/dev/null | FileCheck %s --check-prefix=VECTORS
// RUN: hostclc --print=list --local=64 --stop-after=0 %s 2>/dev/null | FileCheck %s --check-prefix=NONE
// RUN: hostclc --print=2 %s 2>/dev/null | FileCheck %s --check-prefix=FIRST
// RUN: n=$(hostclc --stop-after=help | awk '$2 == "vectorise" { print $1 }') && \
// RUN:   hostclc --assembly --stop-after=$n %s > %t.number 2>&1 && hostclc --assembly --stop-after=vectorise %s > %t.name 2>&1 && cmp %t.number %t.name
// RUN: not hostclc --stop-after=doors %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not hostclc --stop-after=1000 %s 2>&1 | FileCheck %s --check-prefix=ERROR

// HELP: {{^ *}}1 same-bits same-bits
// HELP: {{^ *}}2 callee-registers function(sroa<modify-cfg>)
// HELP: {{^ *}}3 inline function(guarded-division)
// HELP: vectorise optimises function(vectorise<>)

// ALL: inline
// ALL: simplify
// PASSES: vectorise function(vectorise<width={{[0-9]+}};
// ALL: optimise

// VECTORS: simplify
// VECTORS: vectorise
// VECTORS-NOT: {{ (tidy|optimise) }}
// VECTORS: plain-addresses
// VECTORS: long-blocks

// NONE-NOT: {{ (simplify|vectorise|tidy|optimise) }}
// NONE: single-lane
// NONE-NOT: {{ (tidy|optimise) }}
// NONE: long-blocks

// FIRST: after callee-registers

// ERROR: steps have numbers up to {{[0-9]+}}, and names; `hostclc --stop-after=help` lists them

kernel void squares(global float* a) {
  int i = get_global_id(0);
  a[i] = a[i] * a[i];
}

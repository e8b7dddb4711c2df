// The body of a loop over groups is a function of its own if it is large or holds many loops.
// RUN: hostclc --local=64 --kernel=loops --print=optimise %s | FileCheck %s --check-prefix=LOOPS
// RUN: hostclc --local=64 --kernel=much --print=long-blocks %s | FileCheck %s --check-prefix=MUCH
// RUN: hostclc --local=64 --kernel=little --print=long-blocks %s | FileCheck %s --check-prefix=LITTLE
// RUN: hostclc --local=64 --kernel=much --print=long-blocks --without=split_large_regions %s | FileCheck %s --check-prefix=OFF

#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(FOUR(x))

// LOOPS: define void @loops
// LOOPS: call void @loops{{.*}}.body(
// LOOPS: define internal void @loops{{.*}}.body(
kernel void loops(global int* p, local int* t) {
  int i = get_local_id(0);
  FOUR(SIXTEEN(t[i] += *p; barrier(CLK_LOCAL_MEM_FENCE); t[i] -= t[63 - i]; barrier(CLK_LOCAL_MEM_FENCE);))
  p[i] = t[i];
}

// MUCH: define void @much
// MUCH: call void @much{{.*}}.body(
// MUCH: define internal void @much{{.*}}.body(
// OFF: define void @much
// OFF-NOT: .body(
kernel void much(global uint* p) {
  uint i = get_global_id(0), v = p[i];
  FOUR(SIXTEEN(SIXTEEN(v = v * i + (v >> 3);)))
  p[i] = v;
}

// LITTLE: define void @little
// LITTLE-NOT: .body(
kernel void little(global uint* p) {
  uint i = get_global_id(0), v = p[i];
  SIXTEEN(v = v * i + (v >> 3);)
  p[i] = v;
}

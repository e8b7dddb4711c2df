// RUN: hostclc --local=256 --global=65536 --print=disjoint-buffers --disjoint --kernel=loop %s | FileCheck %s --check-prefix=DISJOINT
// RUN: hostclc --local=256 --global=65536 --print=single-lane --kernel=loop %s | FileCheck %s --check-prefix=UNKNOWN
// RUN: hostclc --local=256 --global=65536 --print=disjoint-buffers --disjoint --kernel=one_place %s | FileCheck %s --check-prefix=ONE
// RUN: hostclc --local=256 --global=65536 --print=list --disjoint --kernel=numbers %s | FileCheck %s --check-prefix=NONE
// RUN: hostclc --local=256 --global=65536 --print=list --disjoint --kernel=in_function %s | FileCheck %s --check-prefix=NONE
// RUN: hostclc --local=256 --global=65536 --print=list --disjoint --kernel=compared %s | FileCheck %s --check-prefix=NONE
// RUN: hostclc --local=256 --global=65536 --print=list --disjoint --kernel=once %s | FileCheck %s --check-prefix=NONE
// RUN: hostclc --local=256 --global=65536 --print=list --without=disjoint_buffers --disjoint --kernel=loop %s | FileCheck %s --check-prefix=NONE
//
// What is made of kernels for launches whose buffers are disjoint: updates in loops are collected. Nothing is made of those
// that convert pointers to numbers or compare them, nor of those that gain nothing.

// DISJOINT: atomicrmw add {{.*}} !hostcl.deferrable
// UNKNOWN: atomicrmw add
// UNKNOWN-NOT: !hostcl.deferrable
kernel void loop(global const uchar* bytes, ulong size, global uint* bins) {
  for (ulong i = get_global_id(0); i < size; i += get_global_size(0)) atomic_inc(&bins[bytes[i]]);
}

// The sum of a loop is in a register, and the update after it is collected as well.
// ONE: phi i32
// ONE-NOT: atomicrmw
// ONE: br i1
// ONE: atomicrmw add {{.*}} !hostcl.deferrable
kernel void one_place(global const uint* a, uint n, global uint* sums) {
  for (uint i = 0; i < n; ++i) atomic_add(&sums[n & 3], a[i]);
}

// NONE-NOT: disjoint-buffers
kernel void numbers(global const uint* a, uint n, global uint* sums) {
  for (uint i = 0; i < n; ++i) atomic_add(&sums[a[i]], *(global uint*)((ulong)a + i));
}

__attribute__((noinline)) ulong number(global const uint* p) { return (ulong)p; }
kernel void in_function(global const uint* a, uint n, global uint* sums) {
  for (uint i = 0; i < n; ++i) atomic_add(&sums[a[i]], (uint)number(a));
}

kernel void compared(global const uint* a, uint n, global uint* sums) {
  for (uint i = 0; i < n && a + i != sums; ++i) atomic_add(&sums[a[i]], 1);
}

kernel void once(global const uint* a, global uint* b) { b[get_global_id(0)] = a[get_global_id(0)]; }

// A loop with several entries, with another loop in it, is not vectorised: LLVM's fix-irreducible makes code of some of
// those that never ends. Alone, it is.
// RUN: hostclc --width=8 --assembly %s 2>&1 | FileCheck %s
// CHECK: kernel 'nested': 1 work-item at a time: not vectorised: nested irreducible control flow
// CHECK-NOT: kernel 'alone': 1 work-item

kernel void nested(global uint* words) {
  uint word = words[get_global_id(0)], fuel = 9;
  if (word & 1u) goto second;
first:
  word = word * 1664525u + 1013904223u;
second:
  do word = word * 5u + 1u; while ((word & 7u) == 0 && --fuel);
  if (--fuel && word >> 31) goto first;
  words[get_global_id(0)] = word;
}

kernel void alone(global uint* words) {
  uint word = words[get_global_id(0)], fuel = 9;
  if (word & 1u) goto second;
first:
  word = word * 1664525u + 1013904223u;
second:
  word = word * 5u + 1u;
  if (--fuel && word >> 31) goto first;
  words[get_global_id(0)] = word;
}

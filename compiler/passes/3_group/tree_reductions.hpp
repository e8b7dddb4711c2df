#pragma once

// Replaces tree reductions in local memory by vector code that one work-item runs for its group. The two forms that
// kernels commonly have are recognised; the new code leaves the same values in the same elements as before:
//
//   for (o = n / 2; o > 0; o /= 2) {                      if (local_id == 0) {
//     barrier;                                              for (o = n / 2; o >= 16; o /= 2)
//     if (local_id < o) t[local_id] += t[local_id + o]; =>    for (i = 0; i < o; i += 16) t[i..] += t[i + o..];
//   }                                                       v = t[0..15]; four steps in the register; t[0..15] = v;
//                                                         }
//   for (o = 1; o < n; o *= 2) {                          if (local_id == 0) {
//     if (local_id % (2 * o) == 0)                          for (i = 0; i < n; i += 16)
//       t[local_id] += t[local_id + o];                 =>    v = t[i..]; four steps in the register; t[i..] = v;
//     barrier;                                              for (o = 16; o < n; o *= 2)
//   }                                                         for (i = 0; i < n; i += 2 * o) t[i] += t[i + o];
//                                                         }
//
// The original code tests in each step, for every work-item of the group, whether it takes part, although each step has
// half as many that do. A test at run time keeps the original loop if n is not a power of two, or too small. The pass
// applies to groups of one dimension.
//
// In: a kernel of one work-item, before the vectoriser. Out: the kernel with more barriers, and calls of functions that
// the vectoriser does not look into; `inline-tree-reductions` inlines them afterwards.
//
// Gains on a Sapphire Rapids Xeon, one thread, groups of 256: sums by halved offsets 4.5, by doubled ones 2.6, a
// maximum by doubled ones 2.0.
//
// Test: tests/passes/3_group/tree_reductions.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the instruction calls a function that this pass has written.
bool is_tree_reduction_call(const llvm::Instruction& instruction);

} // namespace hostcl::compiler

#pragma once

// Launches in which no accesses of a kernel race, whatever the contents of memory:
//
//   a[i * n + j] = b[j]      i a global id, j < n
//
//   stride 4 of j, 4 * n of i's parts: no work-item reaches the bytes of another one if the strides, from the least on, are
//   each at least as large as what lies below them takes: 4 >= 4, 4 * n >= 4 * (n - 1) + 4, ...
//   b's object has no byte of a's
//   i * n + j is a signed number of 32 bits
//
// An object is a parameter's, or a local variable. All accesses to an object that is written have the same strides along ids,
// in global memory. In local memory that has to hold for those that no barrier orders (unordered_accesses.hpp). Objects that
// are only read have no conditions but that no written one overlaps them.
//
// What is accessed by atomic operations alone does not race. The results of one counter that counts up are different numbers,
// as ids are: found[atomic_inc(count)] = x. Pixels of images lie where the images' descriptions say.
//
// A wrong proof hides a race: every step is a condition on the launch, not an assumption, except that
// loops whose counters wrap are undefined, and that accesses stay in their objects, which is the check of bounds' subject.

#include "compiler/passes/checks/freedom/unordered_accesses.hpp"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace hostcl::compiler {

struct RaceAnalyses {
  const llvm::DominatorTree& dominators;
  const llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
};

/// Writes the condition under which no accesses of the kernel race in a launch, an i1 of parameters and sizes. Null if none
/// is known. The instructions before it that it does not use are dead.
llvm::Value* condition_of_no_race(llvm::Function& kernel, const llvm::SmallVectorImpl<AccessSet>& unordered,
                                  const RaceAnalyses& analyses, llvm::IRBuilder<>& builder);

} // namespace hostcl::compiler

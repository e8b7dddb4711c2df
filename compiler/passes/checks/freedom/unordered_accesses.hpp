#pragma once

// Finds the accesses to local memory that no barrier orders (barrier intervals):
//
//   store %own                 {%own}: from the start to the first barrier
//   barrier
//   for (...) {                {%other, %mine}: from a barrier to the next one
//     load %other, %mine
//     barrier
//     store %mine              {%mine}
//     barrier
//   }
//   load %mine                 {%mine}: no work-item leaves the loop while others continue
//
// After a barrier, all work-items of a group have passed it. If they then reach a branch whose condition is uniform,
// whatever memory contains, before any divergent branch, they all take the same side of it. Each side then has a set of
// its own.
//
// Tests: tests/passes/checks/races/split_races_barriers.ll

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

using AccessSet = llvm::SmallPtrSet<const llvm::Instruction*, 16>;

/// For the kernel's start, and for each barrier that orders local memory: the instructions that may run before the next
/// such barrier. Each side of a branch that all work-items take together has a set of its own.
llvm::SmallVector<AccessSet, 8> unordered_accesses(llvm::Function& kernel);

} // namespace hostcl::compiler

#pragma once

// Which accesses to local memory no barrier orders:
//
//   store %own                 {%own}: from the start to the first barrier
//   barrier
//   for (...) {                {%other, %mine}: from a barrier to the next one
//     load %other, %mine
//     barrier
//     store %mine              {%mine}
//     barrier
//   }
//   load %mine                 {%mine}: no work-item leaves the loop while others go on
//
// Between two barriers, all work-items of a group have passed the first of them. Where they then come to a branch in
// whose condition they agree, whatever memory has, before they part for the first time, they all take one of its sides.
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

/// For each barrier that orders local memory, and the start of the kernel, the instructions that may come between it and the
/// next one; for each side of a branch that work-items take together, a set of its own.
llvm::SmallVector<AccessSet, 8> unordered_accesses(llvm::Function& kernel);

} // namespace hostcl::compiler

#pragma once

// Kernels that may run in groups of any size, whatever the application gave:
//
//   int j = get_global_id(0), i = get_global_id(1);
//   for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
//
// No work-item can tell which others are in its group (group_visibility.hpp), and none waits for another: there is no
// barrier, and no loop asks memory that others change. Such a kernel gets the mark "hostcl.group_rows", the rows of
// work-items that its groups should have: 1 if lanes side by side are all that matters; 64 where a loop reads vectors
// that all rows share, as b above, which are then read from a near cache (codegen/cache_blocks.hpp), and by unroll-and-jam
// once for several rows; and 16 where neighbouring rows access neighbouring places of what lanes access far apart, as in a transposition, so
// that cache lines are used up. The launch makes groups of that form (abi/group_size.hpp).
//
// Gains on an Emerald Rapids Xeon, one thread: a product of matrices of 1024 x 1024 in groups of 256 x 1, or with none
// given, is 5 times as fast, and in groups of 1 x 64 40 times; a copy in groups of 1 x 64 11 times. On a Sapphire
// Rapids Xeon, in groups of 16 x 16: a median of nine bytes 3.4, a blur of bytes 1.7.
//
// Tests: tests/passes/vectorise/choose/free_groups.ll, tests/kernels/groups/free_groups.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct FreeGroupsPass : llvm::PassInfoMixin<FreeGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

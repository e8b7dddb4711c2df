#pragma once

// Keeps LLVM's loop vectoriser away from loops with an integer division that only some rounds reach. Where
// such a division takes part in an address that is the same in all rounds, LLVM (22) makes it depend on the
// first of the rounds that it joins, and the others read from nowhere:
//
//   for (i...) if (a[i] < 1) b[i] = table[100 % n];
//
// In: the scalar form, loops in simplified form. Out: such loops are marked, see llvm.loop.vectorize.enable.
// Test: tests/passes/conditional_divisions.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ConditionalDivisionsPass : llvm::PassInfoMixin<ConditionalDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
